package dev.doyen.testkit;

import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Records the events of a candidate, except the events that report its initial state. */
final class RecordedEvents implements ElectionListener<LeaseLeadership> {

    private final List<String> lines = new ArrayList<>();

    static RecordedEvents from(LeaseCandidate candidate) {
        var received = new RecordedEvents();
        candidate.listen(received);
        received.lines.clear();
        return received;
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void elected(LeaseLeadership leadership) {
        lines.add("elected " + leadership.term());
    }

    @Override
    public void jeopardy(Duration remaining, String reason) {
        lines.add("jeopardy");
    }

    @Override
    public void recovered() {
        lines.add("recovered");
    }

    @Override
    public void lost(LossCause cause) {
        lines.add("lost " + cause);
    }

    @Override
    public void leaderChanged(Optional<Leader> leader) {
        lines.add("leader " + leader.map(Leader::id).orElse("nobody"));
    }
}
