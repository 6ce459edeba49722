package dev.doyen.driver;

import dev.doyen.event.ElectionEvent;

/** Describes an event of an election in a sentence for the log. The sentence contains no saved state. */
final class EventSentence implements ElectionEvent.Cases {

    private String sentence = "";

    private EventSentence() {}

    static String of(ElectionEvent event) {
        var cases = new EventSentence();
        event.accept(cases);
        return cases.sentence;
    }

    @Override
    public void elected(ElectionEvent.Elected event) {
        sentence = "leads in term " + event.term();
    }

    @Override
    public void jeopardy(ElectionEvent.Jeopardy event) {
        sentence = "missed a renewal in term " + event.term() + " and leads for at most "
                + event.remaining().toMillis() + " ms more unless a renewal succeeds: " + event.reason();
    }

    @Override
    public void recovered(ElectionEvent.Recovered event) {
        sentence = "renews again in term " + event.term();
    }

    @Override
    public void lost(ElectionEvent.Lost event) {
        sentence = "lost the leadership in term " + event.term() + " ("
                + event.cause().description() + ")";
    }

    @Override
    public void overlapped(ElectionEvent.Overlapped event) {
        sentence = "work of term " + event.term() + " still runs, and \""
                + event.by().id() + "\" leads in term " + event.by().term()
                + "; only the fencing token protects the data that both write";
    }

    @Override
    public void leaderChanged(ElectionEvent.LeaderChanged event) {
        sentence = event.leader()
                .map(leader -> "\"" + leader.id() + "\" leads in term " + leader.term())
                .orElse("nobody leads");
    }
}
