/**
 * What Redis does in one step. Times are Unix milliseconds of the store's clock, given by the
 * caller. Keys expire a minute after they mean nothing any more, so that a clock that differs a
 * little loses nothing.
 */
import { rateSeconds } from '../rate-meter.ts';

const grace = 60_000;

/** Most events that a log keeps. */
const mostEvents = 100_000;

/**
 * Drops what is over, and returns the time to go on with: clocks of processes may differ by less
 * than {@link grace}.
 */
const recent = `
local function recent(key, now, window)
  local last = tonumber(redis.call('LINDEX', key, -1))
  if last and last - now > ${grace} then redis.call('DEL', key) end
  if last and last > now and last - now <= ${grace} then now = last end
  local first = tonumber(redis.call('LINDEX', key, 0))
  while first and first <= now - window do
    redis.call('LPOP', key)
    first = tonumber(redis.call('LINDEX', key, 0))
  end
  return now
end
local function wait(key, now, window, limit)
  local length = redis.call('LLEN', key)
  if limit < 1 or length < limit then return 0 end
  local oldest = tonumber(redis.call('LINDEX', key, -limit))
  return math.max(0, oldest + window - now)
end
local function add(key, now, window)
  redis.call('RPUSH', key, string.format('%.0f', now))
  redis.call('LTRIM', key, -${mostEvents}, -1)
  redis.call('PEXPIRE', key, window + ${grace})
end
local key, window, limit = KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3] or 0)
local now = recent(key, tonumber(ARGV[1]), window)
`;

/** A slot of a process that renews it no longer is over. */
const rate = `
local now = tonumber(ARGV[1])
local second = math.floor(now / 1000)
local function look(key, slots)
  local sums, at = { r = 0, t = 0 }, { r = {}, t = {} }
  local flat = redis.call('HGETALL', key)
  for i = 1, #flat, 2 do
    local kind, from = string.sub(flat[i], 1, 1), tonumber(string.sub(flat[i], 2))
    if from < second - ${rateSeconds} or from > second + ${rateSeconds} then
      redis.call('HDEL', key, flat[i])
    else
      sums[kind] = sums[kind] + tonumber(flat[i + 1])
      table.insert(at[kind], { from, tonumber(flat[i + 1]) })
    end
  end
  redis.call('ZREMRANGEBYSCORE', slots, '-inf', now)
  return sums, at, redis.call('ZCARD', slots)
end
`;

/** A value is stored as its end, when it was written, and its text: `170 110|{}`. */
const value = `
local function find(values, name)
  local text = redis.call('HGET', values, name)
  if not text then return nil end
  local ends, written = string.match(text, '^(%d+) (%d+)|')
  return { text = text, ends = tonumber(ends), written = tonumber(written) }
end
`;

export const scripts = {
  /**
   * Keys: counts and slots of each ask. now, slot, its life, tokens, then of each ask: requests,
   * tokens, parallel, whether it refuses → place of the refusing ask (0: none), by what,
   * milliseconds to wait, then of each ask: requests, tokens, slots.
   */
  enterRates: `${rate}
    local slot, life, tokens = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
    local index, by, pause, used = 0, 0, 0, {}
    local function wait(at, sum, need, limit)
      table.sort(at, function(one, other) return one[1] < other[1] end)
      for _, counted in ipairs(at) do
        sum = sum - counted[2]
        if sum + need <= limit then
          return math.max(1, (counted[1] + ${rateSeconds} + 1) * 1000 - now)
        end
      end
      return 1000
    end
    local asks = #KEYS / 2
    for ask = 1, asks do
      local sums, at, parallel = look(KEYS[ask * 2 - 1], KEYS[ask * 2])
      used[ask] = { sums.r, sums.t, parallel }
      local first = ask * 4 + 1
      local limit = { tonumber(ARGV[first]), tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2]) }
      local need = math.min(tokens, limit[2])
      if index == 0 and ARGV[first + 3] == '1' then
        if limit[3] > 0 and parallel >= limit[3] then
          index, by, pause = ask, 3, 1000
        elseif limit[1] > 0 and sums.r >= limit[1] then
          index, by, pause = ask, 1, wait(at.r, sums.r, 1, limit[1])
        elseif limit[2] > 0 and sums.t + need > limit[2] then
          index, by, pause = ask, 2, wait(at.t, sums.t, need, limit[2])
        end
      end
    end
    local reply = { index, by, pause }
    for ask = 1, asks do
      local added = index == 0 and 1 or 0
      if added == 1 then
        local key, slots = KEYS[ask * 2 - 1], KEYS[ask * 2]
        redis.call('HINCRBY', key, 'r' .. second, 1)
        if tokens > 0 then redis.call('HINCRBY', key, 't' .. second, tokens) end
        redis.call('PEXPIRE', key, ${2 * grace})
        redis.call('ZADD', slots, string.format('%.0f', now + life), slot)
        redis.call('PEXPIRE', slots, life + ${grace})
      end
      table.insert(reply, used[ask][1] + added)
      table.insert(reply, used[ask][2] + added * tokens)
      table.insert(reply, used[ask][3] + added)
    end
    table.insert(reply, second)
    return reply`,
  /**
   * The same keys. now, slot, second of the estimate, tokens beyond it (or less), whether this is
   * said again: a slot that is gone was heard the first time.
   */
  leaveRates: `${rate}
    local more = tonumber(ARGV[4])
    for at = 1, #KEYS, 2 do
      local isOver = redis.call('ZREM', KEYS[at + 1], ARGV[2]) == 0
      if isOver and ARGV[5] == '1' then
      elseif more > 0 then
        redis.call('HINCRBY', KEYS[at], 't' .. second, more)
        redis.call('PEXPIRE', KEYS[at], ${2 * grace})
      elseif more < 0 then
        local counted = tonumber(redis.call('HGET', KEYS[at], 't' .. ARGV[3]))
        if counted then
          redis.call('HSET', KEYS[at], 't' .. ARGV[3], string.format('%.0f', math.max(0, counted + more)))
        end
      end
    end
    return 0`,
  /** The same keys. now → of each: requests, tokens, slots. */
  readRates: `${rate}
    local reply = {}
    for at = 1, #KEYS, 2 do
      local sums, _, parallel = look(KEYS[at], KEYS[at + 1])
      for _, figure in ipairs({ sums.r, sums.t, parallel }) do table.insert(reply, figure) end
    end
    return reply`,
  /** Key: the slots. now, life, names of slots that are under way. */
  renewSlots: `
    local now, life = tonumber(ARGV[1]), tonumber(ARGV[2])
    for at = 3, #ARGV do redis.call('ZADD', KEYS[1], string.format('%.0f', now + life), ARGV[at]) end
    redis.call('PEXPIRE', KEYS[1], life + ${grace})
    return 0`,
  /** now, window → count, milliseconds left. */
  increment: `
    local now, window = tonumber(ARGV[1]), tonumber(ARGV[2])
    local ends = tonumber(redis.call('HGET', KEYS[1], 'ends'))
    if ends and ends > now then return { redis.call('HINCRBY', KEYS[1], 'count', 1), ends - now } end
    redis.call('HSET', KEYS[1], 'count', 1, 'ends', string.format('%.0f', now + window))
    redis.call('PEXPIRE', KEYS[1], window + ${grace})
    return { 1, window }`,
  /** now, milliseconds. */
  extend: `
    if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
    redis.call('HSET', KEYS[1], 'ends', string.format('%.0f', tonumber(ARGV[1]) + tonumber(ARGV[2])))
    redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[2]) + ${grace})
    return 1`,
  /** now. */
  decrement: `
    local ends = tonumber(redis.call('HGET', KEYS[1], 'ends'))
    local count = tonumber(redis.call('HGET', KEYS[1], 'count'))
    if not ends or ends <= tonumber(ARGV[1]) or count < 1 then return 0 end
    return redis.call('HINCRBY', KEYS[1], 'count', -1)`,
  /** now, window, limit → milliseconds to wait, events that fit. */
  wait: `${recent}
    return { wait(key, now, window, limit), math.max(0, limit - redis.call('LLEN', key)) }`,
  take: `${recent}
    local pause = wait(key, now, window, limit)
    if pause == 0 then add(key, now, window) end
    return { pause, math.max(0, limit - redis.call('LLEN', key)) }`,
  addEvent: `${recent}
    add(key, now, window)
    return 0`,
  /** Keys: values, order of use, number of the last use. now, name → the value as it is stored. */
  getValue: `${value}
    local stored = find(KEYS[1], ARGV[2])
    if not stored then return false end
    if stored.ends <= tonumber(ARGV[1]) then
      redis.call('HDEL', KEYS[1], ARGV[2])
      redis.call('ZREM', KEYS[2], ARGV[2])
      return false
    end
    redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[3]), ARGV[2])
    return stored.text`,
  /**
   * The same keys. now, name, value, its end, when it was written, most values. One that was
   * written later stays. The least recently used make room, a thousand at a time.
   */
  setValue: `${value}
    local now, name, ends, written = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5])
    local known = find(KEYS[1], name)
    if known and known.ends > now and known.written > written then return 0 end
    redis.call('HSET', KEYS[1], name, string.format('%.0f %.0f|', ends, written) .. ARGV[3])
    redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[3]), name)
    for _ = 1, 1000 do
      local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
      if not oldest then break end
      local stored = find(KEYS[1], oldest)
      local isOver = not stored or stored.ends <= now
      if not isOver and redis.call('ZCARD', KEYS[2]) <= tonumber(ARGV[6]) then break end
      redis.call('HDEL', KEYS[1], oldest)
      redis.call('ZREM', KEYS[2], oldest)
    end
    local stays = math.max(redis.call('PTTL', KEYS[2]), ends - now + ${grace})
    for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, stays) end
    return 1`,
  /** Key: values. Names, each with when it was written → places of those that are not there, or older. */
  missingValues: `${value}
    local missing = {}
    for at = 1, #ARGV, 2 do
      local stored = find(KEYS[1], ARGV[at])
      if not stored or stored.written < tonumber(ARGV[at + 1]) then table.insert(missing, (at - 1) / 2) end
    end
    return missing`,
} as const;

export type ScriptName = keyof typeof scripts;
