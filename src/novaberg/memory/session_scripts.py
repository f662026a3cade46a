"""The session's commands that must be atomic, as Lua scripts. Times are Unix seconds of the caller's clock."""

from __future__ import annotations

READ_TURNS = """
-- KEYS: turns, zeiten. ARGV: last index.
return {
    redis.call('LLEN', KEYS[1]),
    redis.call('HGET', KEYS[2], 'turns'),
    redis.call('LRANGE', KEYS[1], 0, ARGV[1])
}
"""
"""Returns {number of turns, moment of the last write, elements}."""

STORE_TURN = """
-- KEYS: turns, zeiten. ARGV: element, turn_id as JSON text ('' = none), turn_id, rolle, now, ttl.
local written = tonumber(redis.call('HGET', KEYS[2], 'turns') or '')
if written and tonumber(ARGV[5]) - written >= tonumber(ARGV[6]) then
    redis.call('DEL', KEYS[1])
end
if ARGV[2] ~= '' then
    for _, element in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
        if string.find(element, ARGV[2], 1, true) then
            local readable, turn = pcall(cjson.decode, element)
            if readable and type(turn) == 'table' and turn.turn_id == ARGV[3] and turn.rolle == ARGV[4] then
                return {0, redis.call('LLEN', KEYS[1])}
            end
        end
    end
end
local length = redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], 'turns', ARGV[5])
redis.call('EXPIRE', KEYS[1], ARGV[6])
redis.call('EXPIRE', KEYS[2], ARGV[6])
return {1, length}
"""
"""Append a turn unless it is there; a session that is over by the clock starts anew. Returns {stored, length}."""

STORE_SUMMARY = """
-- KEYS: turns, summary, zeiten. ARGV: oldest element as it was read, summary, batch, now, ttl.
if redis.call('LINDEX', KEYS[1], 0) ~= ARGV[1] then
    return {0, redis.call('LLEN', KEYS[1])}
end
redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[5])
redis.call('LTRIM', KEYS[1], ARGV[3], -1)
redis.call('HSET', KEYS[3], 'summary', ARGV[4])
redis.call('EXPIRE', KEYS[3], ARGV[5])
return {1, redis.call('LLEN', KEYS[1])}
"""
"""Put the summary in place of the oldest turns if these are still the ones that were read. Returns {replaced, length}."""

REPLACE_ELEMENT = """
-- KEYS: turns. ARGV: index, element as it was read, new element.
if redis.call('LINDEX', KEYS[1], ARGV[1]) ~= ARGV[2] then
    return 0
end
redis.call('LSET', KEYS[1], ARGV[1], ARGV[3])
return 1
"""
"""Replace an element that nobody changed meanwhile. Returns 1 or 0."""
