"""The sample client: legacy, modern or dual, over stdio and HTTP."""
