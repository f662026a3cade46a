from __future__ import annotations

from functools import partial

from novaberg.clock import MovableClock
from novaberg.conversation.intake import cut_block
from novaberg.memory.database import Database
from novaberg.memory.turn_store import OpenTurn, TurnStore
from novaberg.pair import Pair

PAIR = Pair("meister")
OTHER = Pair("gast")


async def begin(store: TurnStore, pair: Pair, clock: MovableClock) -> OpenTurn:
    await store.accept(
        pair, prompt="Hallo", client_id="", message_id=None, empfangen_am=clock.now(), max_waiting=9
    )
    turn = await store.claim_block(pair, cut=partial(cut_block, window=30.0), deadline_s=180)
    assert turn is not None
    return turn


async def test_step_results_of_several_turns_are_read_at_once_and_only_for_their_pair(
    database: Database, clock: MovableClock
) -> None:
    """design §3: clients read what they missed; promise P16: nobody gets what belongs to another pair."""
    store = TurnStore(database, clock)
    mine, foreign = await begin(store, PAIR, clock), await begin(store, OTHER, clock)
    await store.step_done(mine, "abschluss", {"external": {"herkunft": "standardwerte"}})
    await store.step_done(mine, "anderes", {"x": 1})
    await store.step_done(foreign, "abschluss", {"external": {"herkunft": "gelesen"}})
    asked = [mine.turn_id, foreign.turn_id, "0" * 32]
    assert await store.step_results(PAIR, asked, schritt="abschluss") == {
        mine.turn_id: {"external": {"herkunft": "standardwerte"}}
    }
    assert await store.step_results(PAIR, [], schritt="abschluss") == {}
