#!lua name=doyenhub1

-- The shared state of the nodes of one hub. KEYS[1] is the stream with the log, and the prefix of all other
-- keys. Each function is atomic. A node sends its requests in the order of their numbers and may repeat them. A
-- repeated request receives the first answer again.

local KEPT_ANSWERS = 4096
local KEPT_KEYS = 8
local DAY = 86400000

local function at(keys, name) return keys[1] .. ':' .. name end

-- Returns the reason why this node is not a member, or false if it is a member.
local function stranger(keys, series, node)
  if redis.call('GET', at(keys, 'series')) ~= series then return {'SERIES'} end
  if redis.call('SISMEMBER', at(keys, 'nodes'), node) == 0 then return {'EVICTED'} end
  return false
end

local function add(keys, text, longest)
  if longest then return redis.call('XADD', keys[1], 'MAXLEN', '~', longest, '*', 'e', text) end
  return redis.call('XADD', keys[1], '*', 'e', text)
end

local function head(kind, node, number, rest)
  return '{"kind":"' .. kind .. '","node":' .. cjson.encode(node) .. ',"number":' .. number .. rest .. '}\n'
end

local function answered(keys, node, number)
  local before = redis.call('HGET', at(keys, 'sent:' .. node), number)
  return before and cjson.decode(before)
end

local function answer(keys, node, number, given)
  local sent = at(keys, 'sent:' .. node)
  redis.call('HSET', sent, number, cjson.encode(given))
  redis.call('HDEL', sent, string.format('%.0f', tonumber(number) - KEPT_ANSWERS))
  redis.call('PEXPIRE', sent, DAY)
  return given
end

local function is_before(one, other)
  local ms, n = string.match(one, '^(%d+)-(%d+)$')
  local oms, on = string.match(other, '^(%d+)-(%d+)$')
  if tonumber(ms) ~= tonumber(oms) then return tonumber(ms) < tonumber(oms) end
  return tonumber(n) < tonumber(on)
end

local function newest(keys)
  local last = redis.call('XREVRANGE', keys[1], '+', '-', 'COUNT', 1)
  return last[1] and last[1][1] or '0-0'
end

local function evict(keys, dead, by)
  redis.call('SREM', at(keys, 'nodes'), dead)
  redis.call('DEL', at(keys, 'beat:' .. dead), at(keys, 'sent:' .. dead))
  add(keys, head('evicted', dead, 0, ',"by":' .. cjson.encode(by)))
end

-- Adds a node. Arguments: node, ttl in ms, the series to use if there is none.
-- Returns: series, position, number of other nodes.
redis.register_function('doyen_join', function(keys, args)
  redis.call('SET', at(keys, 'series'), args[3], 'NX')
  local others = redis.call('SCARD', at(keys, 'nodes'))
  redis.call('SADD', at(keys, 'nodes'), args[1])
  redis.call('SET', at(keys, 'beat:' .. args[1]), 1, 'PX', args[2])
  local position = add(keys, head('joined', args[1], 0, ''))
  return {redis.call('GET', at(keys, 'series')), position, tostring(others)}
end)

-- Records a heartbeat and removes dead nodes. Arguments: series, node, ttl in ms, position read so far.
-- Returns: OK, or the reason why this node is no longer a member.
redis.register_function('doyen_beat', function(keys, args)
  local series, node = args[1], args[2]
  local no = stranger(keys, series, node)
  if no then return no end
  if is_before(newest(keys), args[4]) then
    -- Redis has lost entries that this node has read. Therefore all nodes must join a new series.
    redis.call('DEL', keys[1], at(keys, 'series'), at(keys, 'nodes'))
    return {'SERIES'}
  end
  redis.call('SET', at(keys, 'beat:' .. node), 1, 'PX', args[3])
  for _, other in ipairs(redis.call('SMEMBERS', at(keys, 'nodes'))) do
    if redis.call('EXISTS', at(keys, 'beat:' .. other)) == 0 then evict(keys, other, node) end
  end
  return {'OK'}
end)

-- Removes a node that leaves; another node takes care of its connections. Arguments: series, node.
redis.register_function('doyen_leave', function(keys, args)
  if stranger(keys, args[1], args[2]) then return {'OK'} end
  redis.call('SREM', at(keys, 'nodes'), args[2])
  local by = redis.call('SMEMBERS', at(keys, 'nodes'))[1]
  evict(keys, args[2], by or '')
  return {'OK'}
end)

-- Appends an entry to the log. Arguments: series, node, number, text, connection or '', the node that must own the
-- connection, msgSerial or -1, messages, channel, how many answers to keep, how long to keep ids in ms, maximum length
-- of the log, number of ids, ids, number of fences, a slot and a term per fence.
redis.register_function('doyen_append', function(keys, args)
  local series, node, number, text, connection, owner = unpack(args, 1, 6)
  local msg_serial, messages, channel, kept, ids_ms, longest = unpack(args, 7, 12)
  local no = stranger(keys, series, node) or answered(keys, node, number)
  if no then return no end
  local state = at(keys, 'conn:' .. connection)
  local known = connection ~= '' and redis.call('HGET', state, 'node')
  -- The state of a dead node's connection expires, so it can be missing. The state of a connection of this living node
  -- is missing only if the connection has moved to another node and was discharged there.
  if connection ~= '' and known ~= owner and (known or owner == node) then
    return answer(keys, node, number, {'ELSEWHERE'})
  end

  local ids = tonumber(args[13])
  local places = {}
  for i = 1, ids do
    local place = redis.call('GET', at(keys, 'id:' .. channel .. '\n' .. args[13 + i]))
    if place then places[#places + 1] = place end
  end
  if #places > 0 then
    if #places < tonumber(messages) then return answer(keys, node, number, {'PARTLY'}) end
    return answer(keys, node, number, {'REPEATED', unpack(places)})
  end

  local first_fence = 14 + ids
  for i = 1, tonumber(args[first_fence]) do
    local slot, term = args[first_fence + 2 * i - 1], args[first_fence + 2 * i]
    local highest = redis.call('GET', at(keys, 'term:' .. channel .. '\n' .. slot))
    if highest and tonumber(term) < tonumber(highest) then
      return answer(keys, node, number, {'FENCED', slot, highest})
    end
  end
  for i = 1, tonumber(args[first_fence]) do
    local slot, term = args[first_fence + 2 * i - 1], args[first_fence + 2 * i]
    redis.call('SET', at(keys, 'term:' .. channel .. '\n' .. slot), term, 'PX', DAY)
  end

  local position = add(keys, text, longest)
  for i = 1, ids do
    redis.call('SET', at(keys, 'id:' .. channel .. '\n' .. args[13 + i]), position .. '/' .. (i - 1), 'PX', ids_ms)
  end
  if known and tonumber(msg_serial) >= 0 then
    redis.call('HSET', state, 'a' .. msg_serial, position .. '/' .. messages)
    redis.call('HDEL', state, 'a' .. string.format('%.0f', tonumber(msg_serial) - tonumber(kept)))
  end
  return answer(keys, node, number, {'OK'})
end)

-- Registers a connection at its node. Arguments: series, node, connection, client, comma-separated digests of keys, how
-- long to keep the state in ms.
redis.register_function('doyen_enroll', function(keys, args)
  local no = stranger(keys, args[1], args[2])
  if no then return no end
  local state = at(keys, 'conn:' .. args[3])
  local owner = redis.call('HGET', state, 'node')
  if owner and owner ~= args[2] then return {'ELSEWHERE'} end
  -- Older keys stay valid, because the client has perhaps not received the newest one.
  local digests, count = args[5], select(2, string.gsub(args[5], '[^,]+', ''))
  for digest in string.gmatch(redis.call('HGET', state, 'keys') or '', '[^,]+') do
    if count < KEPT_KEYS and not string.find(',' .. digests .. ',', ',' .. digest .. ',', 1, true) then
      digests, count = digests .. ',' .. digest, count + 1
    end
  end
  redis.call('HSET', state, 'node', args[2], 'client', args[4], 'keys', digests)
  redis.call('PEXPIRE', state, args[6])
  return {'OK'}
end)

-- Deletes the state of a connection that has ended at this node. Arguments: series, node, connection.
redis.register_function('doyen_discharge', function(keys, args)
  local state = at(keys, 'conn:' .. args[3])
  if redis.call('HGET', state, 'node') == args[2] then redis.call('DEL', state) end
  return {'OK'}
end)

-- Moves a connection to this node, where its client resumes. Arguments: series, node, number, connection, digest of a
-- key, client, how long to keep the state in ms.
redis.register_function('doyen_take', function(keys, args)
  local series, node, number, connection, digest, client, ms = unpack(args, 1, 7)
  local no = stranger(keys, series, node) or answered(keys, node, number)
  if no then return no end
  local state = at(keys, 'conn:' .. connection)
  local fields = redis.call('HGETALL', state)
  local known, answers = {}, {}
  for i = 1, #fields, 2 do
    local serial = string.match(fields[i], '^a(%d+)$')
    if serial then answers[#answers + 1] = '"' .. serial .. '":"' .. fields[i + 1] .. '"'
    else known[fields[i]] = fields[i + 1] end
  end
  if not known.keys or not string.find(',' .. known.keys .. ',', ',' .. digest .. ',', 1, true) then
    return answer(keys, node, number, {'UNKNOWN'})
  end
  if known.client ~= client then return answer(keys, node, number, {'ANOTHERS'}) end
  redis.call('HSET', state, 'node', node)
  redis.call('PEXPIRE', state, ms)
  add(keys, head('taken', node, number,
      ',"connection":' .. cjson.encode(connection) .. ',"answers":{' .. table.concat(answers, ',') .. '}'))
  return answer(keys, node, number, {'OK'})
end)
