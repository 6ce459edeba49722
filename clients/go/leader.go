package doyen

import (
	"encoding/json"
	"fmt"
)

// Leader is the leader in the elector's last answer.
type Leader struct {
	// Name is the leader's name. It is empty if nobody leads or the leader is unknown.
	Name string
	// Known is false before the first answer, and if the last answer is outdated.
	Known bool
	// IsMe is true if this app is the leader. It is false if the leader is unknown. A missed event that Watch reports
	// later describes the past.
	IsMe bool
	// Term is the leader's term, which is a fencing token. It is 0 if Options.Election is not set, because only /v1
	// reports the term.
	Term int64
}

// leaderIn parses {"name","last_update"} or an election of /v1.
func leaderIn(text []byte, me string) (Leader, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil || fields == nil {
		return Leader{}, notAnAnswer(text)
	}
	leader, isElection := fields["leader"]
	// The NAIS elector answers {} before it has found a leader. On /v1, the field leader is null while nobody leads.
	if len(fields) == 0 || (isElection && string(leader) == "null") {
		return Leader{Known: true}, nil
	}
	if isElection {
		var election struct {
			ID   *string `json:"id"`
			Term *int64  `json:"term"`
		}
		if err := json.Unmarshal(leader, &election); err != nil || election.ID == nil || election.Term == nil {
			return Leader{}, notAnAnswer(text)
		}
		return Leader{Name: *election.ID, Known: true, IsMe: *election.ID == me, Term: *election.Term}, nil
	}
	var name *string
	if err := json.Unmarshal(fields["name"], &name); err != nil || name == nil {
		return Leader{}, notAnAnswer(text)
	}
	return Leader{Name: *name, Known: true, IsMe: *name == me}, nil
}

func notAnAnswer(text []byte) error {
	if len(text) > 100 {
		text = text[:100]
	}
	return fmt.Errorf("the response is not an answer of an elector: %q", text)
}

// whyOver returns the reason why the leadership won has ended, or an empty string if the leadership still lasts.
func whyOver(won, leader Leader) string {
	switch {
	case leader.IsMe && leader.Term == won.Term:
		return ""
	case !leader.Known:
		return "the elector did not answer for too long, so the leader is unknown"
	case leader.IsMe:
		return fmt.Sprintf("another term has begun: %d", leader.Term)
	case leader.Name == "":
		return "nobody leads any more"
	}
	return leader.Name + " leads"
}
