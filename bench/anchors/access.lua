-- luajit access.lua FILE: parses each line of a combined access log into a table and prints the number of lines that are one.
local lpeg = require("lpeg")
local P, R, C, Cg, Ct = lpeg.P, lpeg.R, lpeg.C, lpeg.Cg, lpeg.Ct

local month_numbers = {
  Jan = 1, Feb = 2, Mar = 3, Apr = 4, May = 5, Jun = 6, Jul = 7, Aug = 8, Sep = 9, Oct = 10, Nov = 11, Dec = 12,
}
local digit = R("09")
local space = P(" ")

local function digits(count) return digit ^ -count / tonumber end
local function field(name, pattern) return Cg(pattern, name) end
local function quoted(name) return P('"') * field(name, C((1 - P('"')) ^ 0)) * P('"') end

-- The zone is read and not applied: the times of a generated log are in UTC.
local function nanoseconds(date) return os.time(date) * 1e9 end

local date = Ct(
  field("day", digits(2)) * "/" * field("month", C(P(1) * 1 * 1) / month_numbers) * "/" * field("year", digits(4))
    * ":" * field("hour", digits(2)) * ":" * field("min", digits(2)) * ":" * field("sec", digits(2))
    * space * field("zone", C(lpeg.S("+-") * digit ^ 4))
) / nanoseconds
local word = C((1 - space) ^ 1)
local number = digit ^ 1 / tonumber

local line = Ct(
  field("remote_addr", word) * " - " * field("remote_user", word) * " [" * field("time", date) * "] "
    * quoted("request") * space * field("status", number) * space * field("body_bytes_sent", number) * space
    * quoted("referer") * space * quoted("user_agent")
) * -1

local count = 0
for text in io.lines(arg[1]) do
  if line:match(text) then count = count + 1 end
end
print(count)
