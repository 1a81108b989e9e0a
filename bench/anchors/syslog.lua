-- luajit syslog.lua FILE: parses each line of an RFC 3164 log into a table and prints the number of lines that are one.
local lpeg = require("lpeg")
local P, R, C, Cg, Ct = lpeg.P, lpeg.R, lpeg.C, lpeg.Cg, lpeg.Ct

local month_numbers = {
  Jan = 1, Feb = 2, Mar = 3, Apr = 4, May = 5, Jun = 6, Jul = 7, Aug = 8, Sep = 9, Oct = 10, Nov = 11, Dec = 12,
}
local digit = R("09")
local space = P(" ")
local year = os.date("*t").year

local function field(name, pattern) return Cg(pattern, name) end
local two = (digit * digit) / tonumber

local function nanoseconds(date)
  date.year = year
  return os.time(date) * 1e9
end

local date = Ct(
  field("month", C(P(1) * 1 * 1) / month_numbers) * space ^ 1 * field("day", digit ^ 1 / tonumber) * space
    * field("hour", two) * ":" * field("min", two) * ":" * field("sec", two)
) / nanoseconds

local line = Ct(
  field("time", date) * space * field("hostname", C((1 - space) ^ 1)) * space
    * field("program", C((1 - (P("[") + ":" + space)) ^ 1)) * (P("[") * field("pid", digit ^ 1 / tonumber) * "]") ^ -1 * ":"
    * space ^ -1 * field("message", C(P(1) ^ 0))
) * -1

local count = 0
for text in io.lines(arg[1]) do
  if line:match(text) then count = count + 1 end
end
print(count)
