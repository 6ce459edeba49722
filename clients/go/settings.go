package doyen

import (
	"log"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	leastBelieve   = 3 * time.Second
	mostBelieve    = 300 * time.Second
	defaultBelieve = 5 * time.Second
)

// Options are the settings of an Elector. All of them are optional in a pod that has an elector.
type Options struct {
	// Name is this app's name in the election. The default is HOSTNAME, or else the host's name. In a pod, the default is
	// the pod's name.
	Name string
	// Election is the name of the election. It is required if the elector has several elections or if the app needs the
	// term. Only Doyen's elector supports named elections.
	Election string
	// URL is the address of the elector; http:// is optional. The default is ELECTOR_GET_URL, or else ELECTOR_PATH.
	URL string
	// SSEURL is the address of the event stream. The default is sse below URL. ELECTOR_SSE_URL replaces this default if
	// URL is not set. The client does not use this setting for a named election.
	SSEURL string
	// Believe is the time for which an answer is valid, from 3 s to 300 s. The default is 5 s. After this time without
	// another answer, the leader is unknown and a leadership of this app ends.
	Believe time.Duration
	// Log logs when the elector begins to fail and when it answers again. The default is log.Printf. The client logs no
	// failure that it returns.
	Log func(format string, values ...any)
}

// settings are the complete settings of an Elector.
type settings struct {
	name       string
	requestURL string
	streamURL  string
	// hasHeartbeats is true if the stream certainly sends heartbeats.
	hasHeartbeats bool
	believe       time.Duration
	log           func(format string, values ...any)
}

// settingsOf adds the defaults from the environment. It returns an error if a value is missing or invalid.
func settingsOf(options Options) (settings, error) {
	found := settings{name: options.Name, believe: options.Believe, log: options.Log}
	if found.name == "" {
		found.name = os.Getenv("HOSTNAME")
	}
	if found.name == "" {
		found.name, _ = os.Hostname()
	}
	if found.name == "" {
		return found, electorError("the name of this app is unknown; set HOSTNAME or the option Name")
	}
	if found.believe == 0 {
		found.believe = defaultBelieve
	}
	if found.believe < leastBelieve || found.believe > mostBelieve {
		return found, electorError("the option Believe (%s) must be from %s to %s", found.believe, leastBelieve, mostBelieve)
	}
	if found.log == nil {
		found.log = log.Printf
	}
	request, stream, err := addressesOf(options)
	if err != nil {
		return found, err
	}
	if options.Election != "" {
		request = under(request, options.Election)
		stream = request + "/events"
		found.hasHeartbeats = true
	}
	found.requestURL = request
	found.streamURL, err = withHeartbeat(stream, found.believe)
	return found, err
}

// addressesOf returns the addresses for requests and for streams.
func addressesOf(options Options) (request, stream string, err error) {
	where := [][2]string{{"the option URL", options.URL}}
	if options.URL == "" {
		where = variables("ELECTOR_GET_URL", "ELECTOR_PATH")
	}
	if request, err = firstAddress(where); err != nil {
		return "", "", err
	}
	if request == "" {
		why := "is not set"
		if _, isSet := os.LookupEnv("ELECTOR_GET_URL"); isSet {
			why = "is empty"
		}
		return "", "", electorError("the address of the elector is unknown, because ELECTOR_GET_URL %s; "+
			"run the elector's sidecar in this pod, or set ELECTOR_GET_URL or the option URL", why)
	}
	where = [][2]string{{"the option SSEURL", options.SSEURL}}
	if options.URL == "" && options.SSEURL == "" {
		where = variables("ELECTOR_SSE_URL")
	}
	if stream, err = firstAddress(where); stream == "" {
		stream = request + "/sse"
	}
	return request, stream, err
}

// variables returns the names and values of environment variables.
func variables(names ...string) [][2]string {
	var found [][2]string
	for _, name := range names {
		found = append(found, [2]string{name, os.Getenv(name)})
	}
	return found
}

// firstAddress returns the first value that is not empty, as a complete address without a slash at its end. Each
// element of where is the origin of a value and the value.
func firstAddress(where [][2]string) (string, error) {
	for _, each := range where {
		origin, value := each[0], each[1]
		if value == "" {
			continue
		}
		complete := strings.TrimSpace(value)
		if !strings.Contains(complete, "://") {
			complete = "http://" + complete
		}
		if !isValid(complete) {
			return "", electorError(
				"%s (%.100q) is not the address of an elector; write it like http://localhost:4040/", origin, value)
		}
		return strings.TrimRight(complete, "/"), nil
	}
	return "", nil
}

var unprintable = regexp.MustCompile(`[\s\x00-\x1f]`)

func isValid(address string) bool {
	parsed, err := url.Parse(address)
	if err != nil || unprintable.MatchString(address) {
		return false
	}
	if (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Hostname() == "" {
		return false
	}
	port, err := strconv.ParseUint(parsed.Port(), 10, 16)
	return parsed.Port() == "" || (err == nil && port > 0)
}

// under returns the address of a named election.
func under(address, election string) string {
	parsed, _ := url.Parse(address)
	// PathEscape would keep characters such as + and &.
	name := strings.ReplaceAll(url.QueryEscape(election), "+", "%20")
	return parsed.Scheme + "://" + parsed.Host + "/v1/elections/" + name
}

// withHeartbeat adds the interval of the heartbeats to the address of a stream.
func withHeartbeat(address string, believe time.Duration) (string, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	interval := believe * 10 / 25 / time.Second
	if interval < 1 {
		interval = 1
	}
	query := parsed.Query()
	query.Set("heartbeat", strconv.Itoa(int(interval))+"s")
	parsed.RawQuery = query.Encode()
	return parsed.String(), nil
}
