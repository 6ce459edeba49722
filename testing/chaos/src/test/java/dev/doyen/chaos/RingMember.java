package dev.doyen.chaos;

import dev.doyen.cluster.ClusterMembership;
import dev.doyen.cluster.ClusterSettings;
import dev.doyen.cluster.Discovery;
import dev.doyen.election.ElectionListener;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.group.RingCandidate;
import dev.doyen.group.RingElection;
import dev.doyen.group.RingLeadership;
import dev.doyen.membership.Member;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.View;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A member of a ring with default settings. The process prints its views, its leaders, and the times at which it leads.
 *
 * <p>A line begins with the time of the wall clock in microseconds. All members run on one machine, so their times are
 * comparable. The rest of the line is one of the following:
 *
 * <ul>
 * <li>{@code view NUMBER COORDINATOR ID,ID,..}: this member installed this view. The field COORDINATOR is the id of
 * JGroups' coordinator, which made the view. The field is {@code -} if the coordinator is not a member of the view.
 * <li>{@code leader ID TERM}: from now on, this member names this leader. {@code - 0} means no leader.
 * <li>{@code leads TERM MEMBERS}: this member led at this time, in a view with this number of members. The member
 * checks up to a hundred times a second whether it leads.
 * </ul>
 */
public final class RingMember {

    static final String ELECTION = "chaos";
    static final String CLOSE = "close";
    static final String TRANSFER = "transfer ";
    private static final int CHECK_MILLIS = 10;

    /** The number of members in the current view. */
    private static volatile int members;

    private RingMember() {}

    /**
     * Runs the member.
     *
     * <p>The process reads lines from standard input, and exits at once when the input ends. After the line {@link
     * #CLOSE}, the process closes its election, leaves the ring and exits. After the line {@link #TRANSFER} with an id,
     * the process hands over to the member with that id.
     *
     * @param args the id of this member, its address as {@code HOST:PORT}, the addresses of all members with commas
     *     between them, and the secret or an empty string
     */
    public static void main(String[] args) throws Exception {
        InetSocketAddress own = address(args[1]);
        var peers =
                Arrays.stream(args[2].split(",", -1)).map(RingMember::address).toList();
        ClusterSettings settings = ClusterSettings.local(ELECTION, args[0]);
        if (!args[3].isEmpty()) {
            settings = settings.withSecret(args[3]);
        }
        settings = settings.listeningOn(own.getAddress(), own.getPort()).finding(new Discovery.Peers(peers));
        ClusterMembership membership = ClusterMembership.open(settings);
        // The election adds its listener first. So the election's machine receives a view before this process prints
        // the view.
        RingElection election =
                RingElection.named(ELECTION).membership(membership).open();
        membership.listen("chaos/views", new Views());
        RingCandidate candidate = election.join(args[0]);
        candidate.listen(new Leaders(args[0]));
        daemon("check", () -> check(candidate));
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String command = in.readLine();
        for (; command != null && command.startsWith(TRANSFER); command = in.readLine()) {
            candidate.transferTo(command.substring(TRANSFER.length()));
        }
        if (CLOSE.equals(command)) {
            election.close();
            membership.close();
        }
        Runtime.getRuntime().halt(0);
    }

    /** Parses {@code HOST:PORT}. The host is an IP address. */
    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private static void daemon(String name, Runnable task) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void check(RingCandidate candidate) {
        try {
            while (true) {
                Thread.sleep(CHECK_MILLIS);
                // Read the time before the check. If the process freezes between these two steps and loses its
                // leadership, the check returns false and nothing is printed.
                long at = micros();
                candidate
                        .leadership()
                        .filter(RingLeadership::isCertain)
                        .ifPresent(leadership -> print(at, "leads " + leadership.counter() + " " + members));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void print(long at, String what) {
        System.out.println(at + " " + what);
    }

    private static final class Views implements MembershipListener {
        @Override
        public void installed(View view) {
            members = view.members().size();
            // JGroups' coordinator is the member that made the view.
            String coordinator = view.members().stream()
                    .filter(each -> each.incarnation().equals(view.id().creator()))
                    .map(Member::id)
                    .findFirst()
                    .orElse("-");
            String ids = view.members().stream().map(Member::id).sorted().collect(Collectors.joining(","));
            print(micros(), "view " + view.id().number() + " " + coordinator + " " + ids);
        }

        @Override
        public void received(Member from, byte[] message) {}

        @Override
        public void ended() {}
    }

    private static final class Leaders implements ElectionListener<RingLeadership> {
        private final String id;

        Leaders(String id) {
            this.id = id;
        }

        @Override
        public void elected(RingLeadership leadership) {
            name(Optional.of(new Leader(id, leadership.counter())));
        }

        @Override
        public void lost(LossCause cause) {
            name(Optional.empty());
        }

        @Override
        public void leaderChanged(Optional<Leader> leader) {
            name(leader);
        }

        private static void name(Optional<Leader> leader) {
            print(
                    micros(),
                    "leader "
                            + leader.map(each -> each.id() + " " + each.term()).orElse("- 0"));
        }
    }
}
