"""Work that waits until what it tells of has been passed on."""

import asyncio

from mcpsniff.proxy.afterwards import Afterwards


def play(scenario):
    """What was done, by a scenario that is told of the work and of a list for notes."""
    done = []

    async def main():
        await scenario(Afterwards(), done)

    asyncio.run(main())
    return done


def test_work_is_done_in_the_next_turn_of_the_loop():
    """Not at once, in the order in which it came, and each once."""

    async def scenario(afterwards, done):
        for number in range(3):
            afterwards.put(lambda number=number: done.append(number))
        done.append("passed on")
        await asyncio.sleep(0)
        done.append("next turn")
        await asyncio.sleep(0)

    assert play(scenario) == ["passed on", 0, 1, 2, "next turn"]


def test_work_is_done_on_demand():
    """What must come after it does not wait for the loop, and the loop does nothing twice."""

    async def scenario(afterwards, done):
        afterwards.put(lambda: done.append(1))
        afterwards.do()
        done.append("after")
        afterwards.put(lambda: done.append(2))
        await asyncio.sleep(0)

    assert play(scenario) == [1, "after", 2]


def test_work_that_makes_work():
    """It is done in the same go."""

    async def scenario(afterwards, done):
        afterwards.put(lambda: afterwards.put(lambda: done.append("second")))
        afterwards.do()
        done.append("all done")
        await asyncio.sleep(0)

    assert play(scenario) == ["second", "all done"]


def test_work_that_fails(caplog):
    """It is told of in the log, and the rest is done."""

    async def scenario(afterwards, done):
        afterwards.put(lambda: 1 / 0)
        afterwards.put(lambda: done.append("done"))
        await asyncio.sleep(0)

    assert play(scenario) == ["done"]
    assert "the traffic goes on" in caplog.text
