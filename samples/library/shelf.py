"""What the library owns: its books, and the reading lists of its readers.

No protocol here. Reading lists are found by handles that nobody can guess and that expire; they belong to
whoever holds the handle, not to a connection.
"""

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

LIST_LIFETIME = 3600  # seconds
MOST_LISTS = 1000


@dataclass(frozen=True)
class Book:
    """One book of the catalogue."""

    isbn: str
    title: str
    author: str

    def as_json(self) -> dict[str, str]:
        """Returns the book as a JSON object."""
        return {"isbn": self.isbn, "title": self.title, "author": self.author}


BOOKS = (
    Book("9780141439518", "Pride and Prejudice", "Jane Austen"),
    Book("9780141439600", "A Tale of Two Cities", "Charles Dickens"),
    Book("9780141441146", "Jane Eyre", "Charlotte Brontë"),
    Book("9780142437247", "Moby-Dick", "Herman Melville"),
    Book("9780140449136", "Crime and Punishment", "Fyodor Dostoevsky"),
    Book("9780141439471", "Frankenstein", "Mary Shelley"),
    Book("9780141439846", "Dracula", "Bram Stoker"),
)


class Catalogue:
    """The books, in a stable order; safe to use from many threads."""

    def __init__(self) -> None:
        self._books = {book.isbn: book for book in BOOKS}

    def all(self) -> list[Book]:
        """Returns every book, in the order in which they came."""
        return list(self._books.values())

    def get(self, isbn: str) -> Book | None:
        """Returns the book, None where the library has none of that number."""
        return self._books.get(isbn)

    def search(self, query: str) -> list[Book]:
        """Returns the books whose title or author holds the words, whatever their case."""
        wanted = query.casefold()
        return [book for book in self.all() if wanted in f"{book.title} {book.author}".casefold()]

    def add(self, book: Book) -> None:
        """Takes a book in."""
        self._books[book.isbn] = book

    def remove(self, isbn: str) -> None:
        """Takes a book out."""
        self._books.pop(isbn, None)


@dataclass
class ReadingList:
    """A reader's list; `expires` is a time of the clock given to ReadingLists, in seconds."""

    name: str
    expires: float
    isbns: list[str] = field(default_factory=list)


class ReadingLists:
    """Reading lists by handle; the oldest makes room when there are too many."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._lists: dict[str, ReadingList] = {}
        self._clock = clock
        self._lock = threading.Lock()

    def create(self, name: str) -> str:
        """Opens a list and returns its handle."""
        handle = secrets.token_urlsafe(16)
        with self._lock:
            if len(self._lists) >= MOST_LISTS:
                del self._lists[next(iter(self._lists))]
            self._lists[handle] = ReadingList(name, self._clock() + LIST_LIFETIME)
        return handle

    def get(self, handle: str) -> ReadingList | None:
        """Returns the list, None where the handle is unknown or has expired."""
        with self._lock:
            found = self._lists.get(handle)
            if found is not None and found.expires <= self._clock():
                del self._lists[handle]
                found = None
            return found
