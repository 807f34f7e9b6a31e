"""The library's tools, resources and prompts."""

import json
from typing import Any

from library.jsonrpc import Message
from library.service import Change, Changes, Service
from library.shelf import LIST_LIFETIME, Book, Catalogue, ReadingList, ReadingLists
from library.tools import Arguments, Context, Tool, ToolFailure

CATALOGUE_URI = "library://catalogue"
BOOK_URI = "library://books/"

_TEXT = {"type": "string"}
_BOOKS = {"type": "array", "items": {"type": "object"}}
_CONFIRMATION = {
    "type": "object",
    "properties": {"confirm": {"type": "boolean", "title": "Remove the book for good"}},
    "required": ["confirm"],
}
_READS = {"readOnlyHint": True, "openWorldHint": False}
_ADDS = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}
_DESTROYS = {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}


def library_service(page_size: int) -> Service:
    """Returns the library as a service, with books and lists of its own."""
    changes = Changes()
    librarian = Librarian(Catalogue(), ReadingLists(), changes)
    return Service("library-server", librarian.tools(), changes, librarian, page_size)


class Librarian:
    """Serves the catalogue and the reading lists."""

    def __init__(self, catalogue: Catalogue, lists: ReadingLists, changes: Changes) -> None:
        self._catalogue = catalogue
        self._lists = lists
        self._changes = changes

    def tools(self) -> list[Tool]:
        """Returns the tools, in the order in which they are listed."""
        list_id = {"list_id": _TEXT | {"description": "The handle that create_reading_list gave."}}
        isbn = {"isbn": _TEXT | {"description": "The number of a book, 13 digits."}}
        reading_list = {**list_id, "name": _TEXT, "books": _BOOKS}
        return [
            Tool(
                name="search",
                title="Search the library",
                description="Finds books by words of their title or author.",
                inputs={"query": _TEXT},
                outputs={"books": _BOOKS},
                annotations=_READS,
                run=self.search,
            ),
            Tool(
                name="create_reading_list",
                title="Create a reading list",
                description="Opens an empty reading list and returns its handle, good for an hour.",
                inputs={"name": _TEXT},
                outputs={"list_id": _TEXT, "expires_in_seconds": {"type": "integer"}},
                annotations=_ADDS,
                run=self.create_reading_list,
            ),
            Tool(
                name="add_to_list",
                title="Add a book to a list",
                description="Adds a book of the library to a reading list.",
                inputs=list_id | isbn,
                outputs=reading_list,
                annotations=_ADDS | {"idempotentHint": True},
                run=self.add_to_list,
            ),
            Tool(
                name="get_list",
                title="Show a reading list",
                description="Returns a reading list with its books.",
                inputs=list_id,
                outputs=reading_list,
                annotations=_READS,
                run=self.get_list,
            ),
            Tool(
                name="export_catalogue",
                title="Export the catalogue",
                description="Writes out the whole catalogue, one book after the other. Slow, tells its progress.",
                inputs={"pause_ms": {"type": "integer", "description": "Time to spend on each book."}},
                optional=("pause_ms",),
                annotations=_READS,
                run=self.export_catalogue,
            ),
            Tool(
                name="donate_book",
                title="Donate a book",
                description="Takes a new book into the catalogue.",
                inputs={**isbn, "title": _TEXT, "author": _TEXT},
                annotations=_ADDS | {"idempotentHint": True},
                run=self.donate_book,
            ),
            Tool(
                name="remove_book",
                title="Remove a book",
                description="Takes a book out of the catalogue for good, after asking the user.",
                inputs=isbn,
                annotations=_DESTROYS,
                run=self.remove_book,
            ),
            Tool(
                name="echo",
                title="Echo",
                description="Returns the text that it is given: the smallest call there is, for measuring.",
                inputs={"text": _TEXT},
                annotations=_READS,
                run=self.echo,
            ),
        ]

    def search(self, arguments: Arguments, context: Context) -> Message:
        """Finds books by their words."""
        return {"books": [book.as_json() for book in self._catalogue.search(arguments["query"])]}

    def create_reading_list(self, arguments: Arguments, context: Context) -> Message:
        """Opens a list."""
        return {"list_id": self._lists.create(arguments["name"]), "expires_in_seconds": LIST_LIFETIME}

    def add_to_list(self, arguments: Arguments, context: Context) -> Message:
        """Adds a book to a list, once."""
        reading_list = self._list(arguments["list_id"])
        book = self._book(arguments["isbn"])
        if book.isbn not in reading_list.isbns:
            reading_list.isbns.append(book.isbn)
        return self.get_list(arguments, context)

    def get_list(self, arguments: Arguments, context: Context) -> Message:
        """Shows a list."""
        reading_list = self._list(arguments["list_id"])
        books = [self._catalogue.get(isbn) for isbn in reading_list.isbns]
        return {
            "list_id": arguments["list_id"],
            "name": reading_list.name,
            "books": [book.as_json() for book in books if book is not None],
        }

    def export_catalogue(self, arguments: Arguments, context: Context) -> str:
        """Writes out the catalogue, slowly."""
        pause = arguments.get("pause_ms", 20) / 1000
        lines = []
        books = self._catalogue.all()
        for done, book in enumerate(books, start=1):
            lines.append(f"{book.isbn}  {book.author}: {book.title}")
            context.progress(done, len(books), f"Exported {book.title}")
            context.pause(pause)
        return "\n".join(lines)

    def donate_book(self, arguments: Arguments, context: Context) -> str:
        """Takes a book in and tells who subscribed."""
        book = Book(arguments["isbn"], arguments["title"], arguments["author"])
        self._catalogue.add(book)
        self._tell_of_change()
        return f"Thank you for {book.title}."

    def remove_book(self, arguments: Arguments, context: Context) -> str:
        """Takes a book out if the user confirms it."""
        book = self._book(arguments["isbn"])
        answer = context.ask("confirmation", f"Remove {book.title} from the library?", _CONFIRMATION)
        if answer["action"] != "accept" or answer.get("content", {}).get("confirm") is not True:
            return f"{book.title} stays in the library."
        self._catalogue.remove(book.isbn)
        self._tell_of_change()
        return f"{book.title} is gone."

    def echo(self, arguments: Arguments, context: Context) -> str:
        """Gives the text back."""
        return str(arguments["text"])

    def resources(self) -> list[Message]:
        """Returns the catalogue and every book as resources."""
        catalogue = {
            "uri": CATALOGUE_URI,
            "name": "catalogue",
            "title": "The catalogue",
            "mimeType": "application/json",
        }
        books = [
            {"uri": BOOK_URI + book.isbn, "name": book.isbn, "title": book.title, "mimeType": "application/json"}
            for book in self._catalogue.all()
        ]
        return [catalogue, *books]

    def templates(self) -> list[Message]:
        """Returns the one template."""
        return [{"uriTemplate": BOOK_URI + "{isbn}", "name": "book", "title": "A book by its number"}]

    def read(self, uri: str) -> Message | None:
        """Returns the catalogue, or one book."""
        found: Any = None
        if uri == CATALOGUE_URI:
            found = [book.as_json() for book in self._catalogue.all()]
        elif uri.startswith(BOOK_URI):
            book = self._catalogue.get(uri.removeprefix(BOOK_URI))
            found = None if book is None else book.as_json()
        if found is None:
            return None
        return {"uri": uri, "mimeType": "application/json", "text": json.dumps(found, ensure_ascii=False)}

    def prompts(self) -> list[Message]:
        """Returns the one prompt."""
        argument = {"name": "isbn", "description": "The number of the book.", "required": True}
        return [
            {
                "name": "recommend",
                "title": "Recommend a book",
                "description": "Asks for a recommendation of a book to a friend.",
                "arguments": [argument],
            }
        ]

    def prompt(self, name: str, arguments: Message) -> Message:
        """Returns the prompt about one book."""
        book = self._catalogue.get(arguments["isbn"])
        subject = arguments["isbn"] if book is None else f"{book.title} by {book.author}"
        text = f"Recommend {subject} to a friend, in three sentences."
        return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}

    def _list(self, handle: str) -> ReadingList:
        found = self._lists.get(handle)
        if found is None:
            raise ToolFailure("This list is unknown or has expired. Create a new one with create_reading_list.")
        return found

    def _book(self, isbn: str) -> Book:
        found = self._catalogue.get(isbn)
        if found is None:
            raise ToolFailure(f"The library has no book {isbn}. Look for one with search.")
        return found

    def _tell_of_change(self) -> None:
        self._changes.tell(
            Change("notifications/resources/list_changed"),
            Change("notifications/resources/updated", CATALOGUE_URI),
        )
