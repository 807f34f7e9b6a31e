"""What `wrap` and `proxy` share: pumps that pass bytes on untouched, and a forked recorder that gets a copy of each.

Like `wrap`, it imports at top level only what bare Python has loaded already. POSIX only.
"""
