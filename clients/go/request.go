package doyen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// requestLeader requests the present leader once.
//
// An answer that this process reads after the limit is too late, because the process may have been suspended since.
func requestLeader(ctx context.Context, platform platform, me, url string, limit time.Duration) (Leader, error) {
	until := platform.now().Add(limit)
	answer, err := platform.get(ctx, url, map[string]string{"Accept": "application/json"}, limit)
	if err != nil {
		return Leader{}, err
	}
	defer answer.close()
	if answer.status() != http.StatusOK {
		return Leader{}, refused(answer.status(), url)
	}
	var body []byte
	for err == nil {
		var piece []byte
		piece, err = answer.read(ctx, until.Sub(platform.now()))
		body = append(body, piece...)
		if len(body) > maxLine {
			return Leader{}, fmt.Errorf("the answer at %s has more than %d bytes", url, maxLine)
		}
	}
	switch {
	case ctx.Err() != nil:
		return Leader{}, ctx.Err()
	case errors.Is(err, errSilent) || platform.now().After(until):
		return Leader{}, fmt.Errorf("the elector at %s did not answer within %s", url, limit)
	case err != io.EOF:
		return Leader{}, err
	}
	return leaderIn(body, me)
}

// refused converts a status other than 200 to an error. The error is an *ElectorError if a retry cannot help.
func refused(status int, url string) error {
	if status >= 400 && status < 500 && status != http.StatusRequestTimeout && status != http.StatusTooEarly &&
		status != http.StatusTooManyRequests {
		return electorError("the elector at %s answered with status %d; check the address and the name of the election",
			url, status)
	}
	return fmt.Errorf("the elector at %s answered with status %d", url, status)
}
