"""The screen in a real terminal, on live servers under wrap: what comes, keys, filter, findings, the end."""

import time

from mcpsniff.live.screen import FollowApp


def test_screen_shows_a_session_as_it_goes_on(tmp_path, terminal, wrapped):
    """Empty at first; rows and findings come while the client works; the chosen row is shown in full."""
    terminal.start("follow", str(tmp_path))
    terminal.wait("waiting", "Filter")
    session = wrapped(tmp_path / "a.jsonl")
    session.ask("tools/call", name="search", arguments={"query": "whale"})
    terminal.wait("1 capture, 1 live", "tools/call search", "✗ stdout-noise", "✗ 1")
    session.ask("tools/list")
    terminal.wait("tools/list", "✗ 2")
    session.close()
    terminal.wait("1 capture, 0 live", "exit status 0")
    terminal.keys("g", "j")
    terminal.wait('"method": "tools/call"')
    terminal.keys("n")
    terminal.wait("by the server")
    terminal.keys("q")
    terminal.wait("status 0", without="Filter")


def test_filter_is_typed_and_corrected(tmp_path, terminal, wrapped):
    """A wrong expression is shown its place; the right one chooses among what is there and what comes."""
    session = wrapped(tmp_path / "a.jsonl")
    session.ask("tools/list")
    terminal.start("follow", str(tmp_path / "a.jsonl"))
    terminal.wait("← result", "← noise")
    terminal.keys("/")
    terminal.wait("▔▔")
    terminal.type("latncy>1s")
    terminal.wait("latncy>1s")
    terminal.keys("Enter")
    terminal.wait("did you mean latency?", "^")
    terminal.keys("C-u")
    terminal.type("kind=result or kind=error")
    terminal.keys("Enter")
    terminal.wait("filter: kind=result or kind=error", "← result", without="← noise")
    session.ask("no/such/method")
    terminal.wait("← error", without="→ request")


def test_screen_survives_rotation_and_a_second_capture(tmp_path, terminal, wrapped):
    """Parts are one capture, another server is another; a recorder that is killed and starts again is a third."""
    terminal.start("follow", str(tmp_path))
    terminal.wait("waiting")
    first = wrapped(tmp_path / "a.jsonl", "-C", "2k")
    second = wrapped(tmp_path / "b.jsonl")
    for _ in range(6):
        first.ask("tools/list")
    second.ask("prompts/list")
    terminal.wait("2 captures, 2 live", "prompts/list")
    assert len(list(tmp_path.glob("a-*.jsonl"))) > 2
    second.kill()
    third = wrapped(tmp_path / "b.jsonl")
    third.ask("resources/list")
    terminal.wait("3 captures, 3 live", "resources/list")
    terminal.keys("C-c")
    terminal.wait("status 0")


def test_hostile_capture_stays_text(tmp_path, terminal, growing):
    """Escape sequences and markup of a capture are shown, and do nothing."""
    capture = growing(tmp_path / "a.jsonl")
    capture.noise("\x1b]0;owned\x07\x1b[2J[bold red]x[/] [link=file:///etc]y[/link]")
    terminal.start("follow", str(tmp_path / "a.jsonl"))
    terminal.wait(r"\x1b]0;owned\x07\x1b[2J[bold red]x[/]", "✗ 1")


def test_long_capture_leaves_the_screen_usable(tmp_path, growing, follower):
    """Only visible lines are drawn: of 4,000 rows no more than the screen is high."""
    capture = growing(tmp_path / "a.jsonl")
    for id_ in range(2000):
        capture.ping(id_)
    drawn = []
    app = FollowApp(follower(tmp_path), "a.jsonl", "")

    async def look() -> None:
        async with app.run_test(size=(100, 30)) as pilot:
            until = time.monotonic() + 120
            while app.rows.current is None or app.rows.current.row.seq < 4000:
                assert time.monotonic() < until
                await pilot.pause(0.05)
            line = app.rows.render_line
            app.rows.render_line = lambda y: drawn.append(y) or line(y)
            app.rows.refresh()
            await pilot.pause(0.2)

    import asyncio

    asyncio.run(look())
    assert 0 < len(set(drawn)) <= 30
