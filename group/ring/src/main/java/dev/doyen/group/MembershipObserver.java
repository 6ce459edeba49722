package dev.doyen.group;

import dev.doyen.candidate.ListenerRegistry;
import dev.doyen.election.LeaderListener;
import dev.doyen.election.Observer;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Explanation;
import dev.doyen.event.Leader;
import dev.doyen.group.driver.MembershipLoop;
import java.util.Optional;

/** An observer over a membership. All observers of an election share one loop. */
class MembershipObserver implements Observer {

    private final MembershipElection home;
    private final ListenerRegistry<RingLeadership> listeners;

    MembershipObserver(MembershipElection home) {
        this.home = home;
        this.listeners = new ListenerRegistry<>(home.threads());
    }

    @Override
    public final String election() {
        return home.name();
    }

    @Override
    public final Optional<Leader> leader() {
        return loop().leader();
    }

    @Override
    public final Explanation explain() {
        return loop().explain();
    }

    @Override
    public final Registration listen(LeaderListener listener) {
        return listeners.listen(listener, this::reportPresentState);
    }

    @Override
    public void close() {
        home.forget(this);
    }

    /** Processes an event. Runs on the loop thread. */
    void onEvent(ElectionEvent event) {
        if (event instanceof ElectionEvent.LeaderChanged changed) {
            listeners.leaderChanged(changed);
        }
    }

    void reportPresentState(ListenerRegistry.FirstCalls<RingLeadership> first) {
        Optional<Leader> now = leader();
        first.offer(listener -> listener.leaderChanged(now));
    }

    final MembershipElection home() {
        return home;
    }

    final MembershipLoop loop() {
        return home.loop();
    }

    final ListenerRegistry<RingLeadership> listeners() {
        return listeners;
    }
}
