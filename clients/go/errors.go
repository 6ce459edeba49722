package doyen

import "fmt"

// ElectorError reports that an option or the elector's answer is wrong and that a retry cannot help.
type ElectorError struct {
	message string
}

// Error returns the sentence that states what is wrong, its value and the remedy.
func (e *ElectorError) Error() string {
	return e.message
}

func electorError(format string, values ...any) *ElectorError {
	return &ElectorError{message: fmt.Sprintf(format, values...)}
}

// LeadershipLostError reports that this app no longer leads, or that the leader is unknown.
type LeadershipLostError struct {
	reason string
}

// Error returns the reason for the loss.
func (e *LeadershipLostError) Error() string {
	return e.reason
}
