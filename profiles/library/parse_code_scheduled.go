package library

import (
	"regexp"
	"strings"
)

var (
	scheduled = regexp.MustCompile(`@Scheduled\(`)
	locked    = regexp.MustCompile(`@SchedulerLock\(`)
	attribute = regexp.MustCompile(`^(fixedRate|fixedRateString|fixedDelay|fixedDelayString|cron|timeUnit|every)\s*=\s*`)
)

// timeUnitSuffix are the constants of java.util.concurrent.TimeUnit as ShedLock
// and Spring write them behind a number.
var timeUnitSuffix = map[string]string{
	"NANOSECONDS": "ns", "MICROSECONDS": "us", "MILLISECONDS": "ms", "SECONDS": "s", "MINUTES": "m", "HOURS": "h", "DAYS": "d",
}

// periods are those of Spring's @Scheduled beside @SchedulerLock on a method,
// as settings of that lock. What cannot be read is left out: the period is then
// not known.
func (s source) periods() (out []entry) {
	key, _ := shedlockSheet.Key("period")
	for _, lock := range locked.FindAllStringIndex(s.names, -1) {
		for _, at := range scheduled.FindAllStringIndex(s.names, -1) {
			from, to := min(lock[0], at[0]), max(lock[0], at[0])
			if strings.ContainsAny(s.names[from:to], "{};") || strings.Count(s.names[from:to], "@SchedulerLock(")+strings.Count(s.names[from:to], "@Scheduled(") > 1 {
				continue // of another method
			}
			if text := s.period(s.arguments(at[1])); text != "" {
				e := s.constant(key, text, lock[1])
				e.Line = s.line(at[0])
				out = append(out, e)
			}
		}
	}
	return out
}

// period is what the arguments of @Scheduled say of it, "" where that is no
// constant.
func (s source) period(args []string) string {
	text, suffix := "", ""
	for _, arg := range args {
		m := attribute.FindStringSubmatch(arg)
		if m == nil {
			continue
		}
		value := arg[len(m[0]):]
		if m[1] == "timeUnit" {
			suffix = timeUnitSuffix[value[strings.LastIndexByte(value, '.')+1:]]
			continue
		}
		c, ok := s.evaluate(value, 0)
		switch {
		case !ok:
			return ""
		case c.isText:
			text = c.text
		case c.number != nil && c.number.IsInt():
			text = c.number.Num().String()
		}
		if _, fallback, ok := strings.Cut(text, ":"); ok && strings.Contains(text, "${") {
			text = strings.TrimSuffix(fallback, "}")
		}
		if m[1] == "cron" {
			gap, ok := longestGap(text)
			if !ok {
				return ""
			}
			return SimpleTx.Up(gap)
		}
	}
	if suffix != "" && strings.Trim(text, "0123456789") == "" && text != "" {
		text += suffix
	}
	if d, err := SimpleTx.Parse(text); err != nil || d <= 0 {
		return ""
	}
	return text
}
