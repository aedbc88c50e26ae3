-- Requests in turn from the list in the file that PATHS names, one a line.
local paths = {}
for line in io.lines(os.getenv("PATHS")) do
	paths[#paths + 1] = line
end
local n = math.random(#paths)
request = function()
	n = n % #paths + 1
	return wrk.format("GET", paths[n])
end
