/**
 * What Redis does in one step. Times are Unix milliseconds of the store's clock, given by the
 * caller. Keys expire a minute after they mean nothing any more, so that a clock that differs a
 * little loses nothing.
 */
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

export const scripts = {
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
  /** Keys: values, order of use, number of the last use. now, name → the value. */
  getValue: `
    local stored = redis.call('HGET', KEYS[1], ARGV[2])
    if not stored then return false end
    local mark = string.find(stored, '|', 1, true)
    if tonumber(string.sub(stored, 1, mark - 1)) <= tonumber(ARGV[1]) then
      redis.call('HDEL', KEYS[1], ARGV[2])
      redis.call('ZREM', KEYS[2], ARGV[2])
      return false
    end
    redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[3]), ARGV[2])
    return string.sub(stored, mark + 1)`,
  /**
   * The same keys. now, name, value, milliseconds, most values. The least recently used make room,
   * a thousand at a time.
   */
  setValue: `
    local now, life = tonumber(ARGV[1]), tonumber(ARGV[4])
    redis.call('HSET', KEYS[1], ARGV[2], string.format('%.0f', now + life) .. '|' .. ARGV[3])
    redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[3]), ARGV[2])
    for _ = 1, 1000 do
      local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
      local stored = oldest and redis.call('HGET', KEYS[1], oldest)
      if not oldest then break end
      local isOver = not stored or tonumber(string.sub(stored, 1, string.find(stored, '|', 1, true) - 1)) <= now
      if not isOver and redis.call('ZCARD', KEYS[2]) <= tonumber(ARGV[5]) then break end
      redis.call('HDEL', KEYS[1], oldest)
      redis.call('ZREM', KEYS[2], oldest)
    end
    local stays = math.max(redis.call('PTTL', KEYS[2]), life + ${grace})
    for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, stays) end
    return 0`,
  deleteValue: `
    redis.call('ZREM', KEYS[2], ARGV[1])
    return redis.call('HDEL', KEYS[1], ARGV[1])`,
} as const;

export type ScriptName = keyof typeof scripts;
