package dev.doyen;

import dev.doyen.driver.MembershipLoop;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.lease.Explanation;
import dev.doyen.store.PastTerm;
import java.util.List;
import java.util.Optional;

/** An observer over a membership. It uses the one loop of its election. */
class MembershipObserver implements Observer {

    private final MembershipElection home;
    private final ListenerRegistry listeners;

    MembershipObserver(MembershipElection home) {
        this.home = home;
        this.listeners = new ListenerRegistry(home.threads());
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

    /** Empty, because a ring keeps no history. */
    @Override
    public final List<PastTerm> history() {
        return List.of();
    }

    @Override
    public final Registration listen(ElectionListener listener) {
        return listeners.listen(listener, this::reportPresentState);
    }

    @Override
    public void close() {
        home.forget(this);
    }

    /** Receives an event; on the loop thread. */
    void told(ElectionEvent event) {
        if (event instanceof ElectionEvent.LeaderChanged changed) {
            listeners.notifyLatest("leader", l -> l.leaderChanged(changed.leader()));
        }
    }

    void reportPresentState(ElectionListener listener) {
        Optional<Leader> now = leader();
        listeners.offer(() -> listener.leaderChanged(now));
    }

    final MembershipElection home() {
        return home;
    }

    final MembershipLoop loop() {
        return home.loop();
    }

    final ListenerRegistry listeners() {
        return listeners;
    }
}
