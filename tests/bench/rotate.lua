-- Requests in turn from the list in the file that PATHS names, one a line; with
-- POST=1 orders, each with an Idempotency-Key of its own; with BODY=TEXT a POST of that text.
local paths = {}
for line in io.lines(os.getenv("PATHS")) do
	paths[#paths + 1] = line
end
local seed = os.getenv("SEED") or "0"
math.randomseed(tonumber(seed))
local n = math.random(#paths)
local order = os.getenv("POST") == "1"
local orders = 0
local hit = os.getenv("BODY") or ""
local body = '{"kind":"article","topic":"Compost"}'
request = function()
	n = n % #paths + 1
	if hit ~= "" then
		return wrk.format("POST", paths[n], nil, hit)
	end
	if not order then
		return wrk.format("GET", paths[n])
	end
	orders = orders + 1
	wrk.headers["Idempotency-Key"] = seed .. "-" .. orders
	return wrk.format("POST", paths[n], nil, body)
end
