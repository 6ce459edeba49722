package doyen

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// maxLine limits a line, the data of an event and the body of an answer, in bytes. The elector sends less than 2,000.
const maxLine = 65_536

// streamEvent is one event of a stream. The id is the last id received so far, or empty.
type streamEvent struct {
	kind, data, id string
}

// eventStreamParser parses text/event-stream by the HTML standard, in pieces of any size.
//
// The parser has no I/O and no clock. If feed returns an error, the caller must close the stream.
type eventStreamParser struct {
	// retry is the delay in the last retry: line. It is meaningless before hasRetry is true.
	retry    time.Duration
	hasRetry bool
	comments int

	id          string
	rest        []byte
	hasBegun    bool
	afterReturn bool
	kind        string
	data        []string
	length      int
}

// feed returns the events that end in this piece. It returns an error if a line or an event is too long.
func (p *eventStreamParser) feed(piece []byte) ([]streamEvent, error) {
	var events []streamEvent
	for len(piece) > 0 {
		// If a piece ends between CR and LF, the LF at the start of the next piece does not end another line.
		if p.afterReturn && piece[0] == '\n' {
			p.afterReturn = false
			piece = piece[1:]
			continue
		}
		end := bytes.IndexAny(piece, "\r\n")
		p.afterReturn = end >= 0 && piece[end] == '\r'
		if end < 0 {
			p.rest = append(p.rest, piece...)
			break
		}
		line := append(p.rest, piece[:end]...)
		p.rest = nil
		piece = piece[end+1:]
		event, err := p.line(line)
		if err != nil {
			return nil, err
		}
		if event != nil {
			events = append(events, *event)
		}
	}
	return events, bounded(len(p.rest), "a line")
}

// line returns the event that an empty line ends, or nil.
func (p *eventStreamParser) line(bytesOfLine []byte) (*streamEvent, error) {
	if err := bounded(len(bytesOfLine), "a line"); err != nil {
		return nil, err
	}
	line := strings.ToValidUTF8(string(bytesOfLine), "\uFFFD")
	if !p.hasBegun {
		p.hasBegun = true
		line = strings.TrimPrefix(line, "\uFEFF")
	}
	if line == "" {
		return p.event(), nil
	}
	name, value, _ := strings.Cut(line, ":")
	value = strings.TrimPrefix(value, " ")
	switch name {
	case "":
		p.comments++
	case "data":
		p.length += len(value) + 1
		p.data = append(p.data, value)
		return nil, bounded(p.length, "an event")
	case "event":
		p.kind = value
	case "id":
		if !strings.Contains(value, "\x00") {
			p.id = value
		}
	case "retry":
		if millis, err := strconv.ParseUint(value, 10, 32); err == nil {
			p.retry, p.hasRetry = time.Duration(millis)*time.Millisecond, true
		}
	}
	return nil, nil
}

func (p *eventStreamParser) event() *streamEvent {
	kind, data := p.kind, p.data
	p.kind, p.data, p.length = "", nil, 0
	if data == nil {
		return nil
	}
	if kind == "" {
		kind = "message"
	}
	return &streamEvent{kind: kind, data: strings.Join(data, "\n"), id: p.id}
}

func bounded(length int, what string) error {
	if length > maxLine {
		return fmt.Errorf("%s of the stream has more than %d bytes", what, maxLine)
	}
	return nil
}
