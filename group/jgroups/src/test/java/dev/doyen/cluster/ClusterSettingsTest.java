package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.group.settings.RingTiming;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSettingsTest {

    private final ClusterSettings local = ClusterSettings.local("orders", "a");

    @Test
    void the_defaults_tolerate_a_frozen_follower() { // R13
        assertThat(local.silence()).isEqualTo(Duration.ofMillis(3_000 + 375 + 2 * 250));
        RingTiming.ofElectionTimeout(RingTiming.DEFAULT_ELECTION_TIMEOUT).checkSilence(local.silence());
        refused(
                () -> RingTiming.ofElectionTimeout(Duration.ofSeconds(5)).checkSilence(local.silence()),
                "a silent member stays in the view for 3875 ms, and with an election timeout of 5000 ms the limit is 2600 ms, so one"
                        + " frozen follower would end the leader's term: raise the election timeout to 7452 ms or more, or lower the detection"
                        + " time");
        assertThat(local.detecting(Duration.ofMillis(500)).silence()).isEqualTo(Duration.ofNanos(1_062_500_000));
    }

    /**
     * The failure detector rounds its timeout up to whole heartbeat intervals, and can take one interval more. The
     * verification can take twice its own timeout.
     */
    @ParameterizedTest
    @ValueSource(longs = {500, 501, 1_999, 3_000, 60_000})
    void a_silent_member_is_removed_after_the_configured_time(long detection) {
        ClusterSettings settings = local.detecting(Duration.ofMillis(detection));
        var sockets = new FD_SOCK2();
        List<Protocol> stack = ProtocolStackBuilder.over(new TCP(), new TCPPING(), sockets, settings);
        var detector = (FD_ALL3)
                stack.stream().filter(FD_ALL3.class::isInstance).findFirst().orElseThrow();
        var verifier = (VERIFY_SUSPECT2) stack.stream()
                .filter(VERIFY_SUSPECT2.class::isInstance)
                .findFirst()
                .orElseThrow();
        long interval = detector.getInterval();
        long counted = (detector.getTimeout() + interval - 1) / interval;
        assertThat((counted + 1) * interval + 2 * verifier.getTimeout())
                .isBetween(detection, settings.silence().toMillis());
    }

    @Test
    void a_secret_is_required_beyond_loopback() throws IOException {
        InetAddress elsewhere = InetAddress.getByName("192.0.2.1");
        refused(
                () -> local.listeningOn(elsewhere, 7800),
                "the cluster would listen on 192.0.2.1, which other machines can reach, and has no secret; give all"
                        + " members the same secret of at least 16 characters, or listen on 127.0.0.1");
        assertThat(local.withSecret("sixteen letters.")
                        .listeningOn(elsewhere, 7800)
                        .bind())
                .isEqualTo(elsewhere);
    }

    @Test
    void invalid_values_are_rejected_with_a_sentence() throws IOException {
        InetAddress everywhere = InetAddress.getByName("0.0.0.0");
        refused(
                () -> local.listeningOn(everywhere, 7800),
                "the cluster would listen on 0.0.0.0, which means every address;"
                        + " give the address at which other members reach this process");
        refused(
                () -> local.withSecret("short"),
                "the secret has 5 characters; it needs 16 to 1000, preferably random ones");
        refused(
                () -> local.withSecret("abcabcabcabcabcabc"),
                "the secret has only 3 different characters; it needs 8, preferably random ones");
        var group = new Discovery.Multicast(InetAddress.getByName("230.5.5.5"), 7799);
        refused(
                () -> local.finding(group),
                "multicast discovery needs a secret, because every host of the network can send multicast;"
                        + " give all members the same secret of at least 16 characters");
        refused(() -> local.listeningOn(local.bind(), 0), "port is 0; its bounds are 1 and 65535");
        refused(
                () -> local.listeningOn(local.bind(), 65_500),
                "port is 65500; at most 65435, because the cluster also uses the port 100 above it");
        refused(() -> local.detecting(Duration.ofMillis(100)), "detection is 100 ms; its bounds are 500 ms and 1 min");
        refused(() -> ClusterSettings.local("c", "n".repeat(201)), "member id has 201 bytes in UTF-8; at most 200");
        refused(() -> ClusterSettings.local("c", "é".repeat(101)), "member id has 202 bytes in UTF-8; at most 200");
        var peer = new InetSocketAddress(local.bind(), 7800);
        refused(
                () -> new Discovery.Peers(Collections.nCopies(201, peer)),
                "201 peers are given, and at most 200 are possible; use discovery by DNS");
        refused(
                () -> new Discovery.Multicast(local.bind(), 7800),
                "127.0.0.1 is not a multicast address; choose one from 224.0.0.0 to 239.255.255.255, such as"
                        + " 230.5.5.5");
    }

    @Test
    void the_secret_is_not_printed() {
        assertThat(local.withSecret("sixteen letters."))
                .asString()
                .isEqualTo("\"a\" of cluster \"orders\" on 127.0.0.1:7800");
    }

    @Test
    void a_port_in_use_is_reported() throws IOException {
        try (var taken = new ServerSocket(0, 1, local.bind())) {
            int port = taken.getLocalPort() > 65_435 ? 65_435 : taken.getLocalPort();
            assertThatThrownBy(() -> ClusterMembership.open(local.listeningOn(local.bind(), port)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot be opened")
                    .hasMessageContaining("choose another address or port");
        }
    }

    private static void refused(ThrowingCallable what, String sentence) {
        assertThatThrownBy(what).isInstanceOf(IllegalArgumentException.class).hasMessage(sentence);
    }
}
