package dev.doyen.group.process;

import dev.doyen.cluster.ClusterMembership;
import dev.doyen.election.ElectionListener;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elector;
import dev.doyen.elector.ElectorSettings;
import dev.doyen.elector.Probes;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.console.ConsoleFeed;
import dev.doyen.elector.http.AddressLimits;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.elector.http.ConnectionLimit;
import dev.doyen.elector.http.ElectorHandler;
import dev.doyen.elector.http.Ports;
import dev.doyen.elector.http.ProbeHandler;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.elector.metrics.ElectionMetrics;
import dev.doyen.elector.metrics.MetricsText;
import dev.doyen.elector.metrics.Tally;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.group.RingCandidate;
import dev.doyen.group.RingElection;
import dev.doyen.group.RingLeadership;
import dev.doyen.log.FaultLog;
import dev.doyen.metrics.Metric;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A running {@code doyen ring}. The process serves HTTP at once, and campaigns after it has joined the cluster.
 *
 * <p>Threads: one thread for the elector, one thread for the probes, and the threads of the membership and the
 * election. Create the process and call {@link #await} on the same thread; {@link #leave} may be called from any
 * thread.
 */
public final class MemberProcess implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.doyen");
    private static final int MAX_CONNECTIONS = 2_000;
    private static final long WRITE_SECONDS = 5;

    /**
     * The interval in seconds between two checks of the reason for a missing leader. No event reports a change of this
     * reason.
     */
    private static final long REASONS_SECONDS = 1;

    private final FaultLog faults = new FaultLog(LOG);
    private final Ports ports;
    private final TlsSettings tls;
    private final AuditLog audit;
    private final EventLoopGroup sockets = Ports.sockets(1, "doyen-member-http");
    /** A separate thread for the probes, so that the elector does not delay the probes. */
    private final EventLoopGroup probeSockets = Ports.sockets(1, "doyen-probes");

    private final AtomicBoolean leaving = new AtomicBoolean();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final MemberElection contest;
    private final KnownElection known;
    private final ElectorHandler elector;
    private final ConsoleSnapshot snapshot;
    private final InetSocketAddress electorAddress;
    private final InetSocketAddress probeAddress;
    private final ClusterMembership membership;
    private final RingElection election;

    /** The counters of leaderships. The object is immutable, and the candidate's callbacks replace it. */
    private volatile Tally tally = Tally.startedAt(System.nanoTime());

    /**
     * Opens the ports, joins the cluster and campaigns.
     *
     * <p>The constructor returns after the process has joined the cluster. If no other member answers, the join takes a
     * second or two.
     *
     * @throws CannotListenException if an HTTP port cannot be opened; in this case no port stays open
     * @throws IllegalArgumentException if the cluster's port cannot be opened or a setting is invalid; in this case no
     *     port stays open
     */
    public MemberProcess(MemberSettings memberSettings) throws CannotListenException {
        tls = memberSettings.tls();
        audit = memberSettings.audit();
        ports = new Ports(tls);
        String series = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
        contest = new MemberElection(memberSettings.electionSettings());
        known = new KnownElection(
                memberSettings.election(),
                contest::lastHeartbeat,
                memberSettings.electionSettings().leaderLease(),
                InstantSource.system());
        EventLoop loop = sockets.next();
        elector = new ElectorHandler(
                new Elector(known, ElectorSettings.of(memberSettings.election(), series, memberSettings.adminAccess())),
                loop,
                new MemberAdminCommands(known, memberSettings.electionSettings(), contest::saved),
                memberSettings.audit());
        snapshot = new ConsoleSnapshot(new MemberJson(memberSettings, contest), known, loop);
        loop.scheduleAtFixedRate(
                // A scheduler does not repeat a task after an exception.
                () -> faults.survives("the update of the leader", () -> elector.sendChange(known::view)),
                REASONS_SECONDS,
                REASONS_SECONDS,
                TimeUnit.SECONDS);
        var console = new MemberConsole(
                memberSettings.adminAccess(), new ConsoleFeed<>(snapshot, loop), elector::carryOut, elector);
        var probes = new ProbeHandler(new Probes(
                known,
                memberSettings.election(),
                Probes.untilStarted(known::isKnown, memberSettings.election()),
                () -> leaving.get() ? List.of(Probes.SHUTTING_DOWN) : List.of(),
                Optional.of(() -> metrics(memberSettings))));
        ClusterMembership joined = null;
        boolean isOpen = false;
        try {
            electorAddress = ports.open(
                    Port.ELECTOR,
                    memberSettings.http(),
                    sockets,
                    console,
                    new ConnectionLimit(MAX_CONNECTIONS, AddressLimits.DEFAULT));
            probeAddress =
                    ports.open(Port.PROBES, memberSettings.probes(), probeSockets, probes, ConnectionLimit.ofProbes());
            ports.openRedirect(electorAddress.getPort(), sockets);
            joined = ClusterMembership.open(memberSettings.cluster());
            var settings = contest.settings(memberSettings.election(), memberSettings.priority());
            settings.membership(joined);
            memberSettings.health().ifPresent(settings::health);
            election = contest.open(settings);
            membership = joined;
            RingCandidate candidate = election.join(memberSettings.cluster().id());
            known.open(candidate);
            candidate.listen(new EventForwarder(candidate));
            isOpen = true;
        } finally {
            if (!isOpen) {
                abandon(joined);
            }
        }
        LOG.log(
                Level.INFO,
                "\"" + memberSettings.cluster().id() + "\" campaigns in the election \"" + memberSettings.election()
                        + "\" on a ring; the elector API is on port " + electorAddress.getPort()
                        + ", probes are answered on port "
                        + probeAddress.getPort());
    }

    public InetSocketAddress electorAddress() {
        return electorAddress;
    }

    public InetSocketAddress probeAddress() {
        return probeAddress;
    }

    /**
     * Starts the shutdown. The process stops leading, and then leaves the cluster. If no thread can be started for
     * this, the caller's thread does it. Threads: any.
     */
    public void leave() {
        if (leaving.compareAndSet(false, true)) {
            Runnable leave = () -> {
                try (membership) {
                    election.close();
                } finally {
                    ended.complete(null);
                }
            };
            if (!faults.survives("the start of a thread to leave on", () -> start(leave))) {
                leave.run();
            }
        }
    }

    private static void start(Runnable leave) {
        var closing = new Thread(leave, "doyen-close");
        closing.setDaemon(true);
        closing.start();
    }

    /** Waits until the process has left the cluster. The ports stay open until {@link #close}. */
    public void await() {
        ended.join();
    }

    /** Leaves the cluster if the process has not left it, and closes the ports. */
    @Override
    public void close() {
        leave();
        await();
        closeHttp();
    }

    private String metrics(MemberSettings memberSettings) {
        var text = new MetricsText();
        String name = memberSettings.election();
        Optional<ElectionView> view = known.view();
        boolean leads = view.flatMap(ElectionView::leader)
                .filter(leader -> leader.id().equals(memberSettings.cluster().id()))
                .isPresent();
        long term = view.map(ElectionView::lastTerm).orElse(0L);
        ElectionMetrics.write(text, List.of(new ElectionMetrics(name, leads, term, tally.at(System.nanoTime()))));
        ElectionMetrics.writeRemaining(
                text, name, view.flatMap(ElectionView::remaining).orElse(Duration.ZERO));
        contest.writeMetrics(text, name);
        text.describe(Metric.EVENT_STREAMS);
        text.value(Metric.EVENT_STREAMS, elector.openStreams(), Port.ELECTOR.label());
        return text.toString();
    }

    /** Closes the opened parts after the constructor has failed. The election ends with its membership. */
    private void abandon(@Nullable ClusterMembership joined) {
        try {
            if (joined != null) {
                joined.close();
            }
        } finally {
            closeHttp();
        }
    }

    private void closeHttp() {
        ports.close();
        tls.close();
        audit.close();
        Ports.end(sockets, probeSockets);
    }

    /** Passes the candidate's events to the event streams. */
    private final class EventForwarder implements ElectionListener<RingLeadership> {

        private final RingCandidate candidate;

        EventForwarder(RingCandidate candidate) {
            this.candidate = candidate;
        }

        @Override
        public void elected(RingLeadership leadership) {
            tally = tally.withElection();
            report(Optional.of(new Leader(candidate.id(), leadership.counter())));
        }

        /**
         * Waits a few seconds at most until the loss is written to the event streams. Another process can lead after
         * this method returns.
         */
        @Override
        public void lost(LossCause cause) {
            tally = tally.withLoss(cause).withOverrun(1);
            report(Optional.empty());
            elector.written()
                    .completeOnTimeout(null, WRITE_SECONDS, TimeUnit.SECONDS)
                    .join();
            // Until the streams have the loss, the app can still work as the leader.
            tally = tally.withOverrun(0);
        }

        @Override
        public void jeopardy(Duration remaining, String reason) {
            tally = tally.withJeopardy();
        }

        @Override
        public void overlapped(long term, Leader by) {
            tally = tally.withOverlap();
        }

        @Override
        public void leaderChanged(Optional<Leader> leader) {
            report(leader);
        }

        private void report(Optional<Leader> leader) {
            if (known.report(leader)) {
                tally = tally.withLeader(leader.isPresent(), System.nanoTime());
            }
            known.view().ifPresent(view -> {
                elector.electionChanged(view);
                snapshot.electionChanged(view);
            });
        }
    }
}
