package dev.doyen.hub.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the hub rejects inconsistent settings and invalid keys. */
class HubSettingsTest {

    static Stream<Arguments> misfits() {
        return Stream.of(
                misfit(b -> b.maxConnections(0), "maxConnections (0) must be positive; raise it"),
                misfit(b -> b.claimTimeout(Duration.ZERO), "claimTimeout (PT0S) must be positive; raise it"),
                misfit(
                        b -> b.remainPresentFor(Duration.ofMinutes(3)),
                        "connectionStateTtl (PT2M) must not be less than remainPresentFor (PT3M)"),
                misfit(b -> b.remainPresentFor(Duration.ofMillis(5)), "remainPresentFor (PT0.005S) must not be less"),
                misfit(b -> b.maxIdleInterval(Duration.ofSeconds(4)), "maxIdleInterval (PT4S) must not be less than"),
                misfit(b -> b.maxIdleInterval(Duration.ofHours(1)), "the greatest maxIdleInterval (PT30M) must not"),
                misfit(b -> b.claimTimeout(Duration.ofMinutes(3)), "connectionStateTtl (PT2M) must not be less than"),
                misfit(
                        b -> b.maxClaimTtl(Duration.ofMinutes(3)),
                        "connectionStateTtl (PT2M) must not be less than maxClaimTtl (PT3M)"),
                misfit(
                        b -> b.maxClaimTtl(Duration.ofMillis(999)),
                        "maxClaimTtl (PT0.999S) must not be less than its least value (PT1S)"),
                misfit(b -> b.maxFrameBytes(100_000), "maxFrameBytes (100000) must not be less than twice maxMessage"),
                misfit(b -> b.historyBytes(1), "historyBytes (1) must not be less than maxMessageBytes (65536)"),
                misfit(b -> b.historyBytesInAll(1), "historyBytesInAll (1) must not be less than historyBytes"),
                misfit(b -> b.inboundBurst(49), "inboundBurst (49) must not be less than inboundRatePerSecond (50)"),
                misfit(
                        b -> b.restRates(rates -> rates.withMessagesAtOnce(999)),
                        "restMessagesAtOnce (999) must not be less than restMessagesPerSecond (1000)"),
                misfit(
                        b -> b.restRates(rates -> rates.withRequestsPerSecond(2_501)),
                        "restRequestsAtOnce (2500) must not be less than restRequestsPerSecond (2501)"),
                misfit(b -> b.restRates(rates -> rates.withMaxCallers(0)), "maxRestCallers (0) must be positive"),
                misfit(b -> b.storedAcksPerConnection(9), "storedAcksPerConnection (9) must not be less than heldAcks"),
                misfit(b -> b.lastMessageAge(Duration.ofSeconds(1)), "lastMessageAge (PT1S) must not be less than"),
                misfit(
                        b -> b.channelRules(rule(r -> promising(r, Duration.ofSeconds(61)))),
                        "maxClaimTtl (PT1M) must not be less than that of the rule for \"x\" (PT1M1S)"),
                misfit(
                        b -> b.channelRules(rule(r -> keeping(r, Duration.ofDays(2)))),
                        "lastMessageAge (PT24H) must not be less than historyAge of the rule for \"x\" (PT48H)"),
                misfit(b -> b.serverId(""), "serverId is empty"));
    }

    private static Arguments misfit(Function<HubSettings.Builder, HubSettings.Builder> change, String sentence) {
        return Arguments.of(change, sentence);
    }

    @ParameterizedTest
    @MethodSource("misfits")
    void inconsistent_settings_are_rejected_with_a_sentence(
            Function<HubSettings.Builder, HubSettings.Builder> change, String sentence) {
        var builder = change.apply(HubSettings.builder());
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(sentence);
    }

    @Test
    void the_defaults_are_valid() {
        assertThat(HubSettings.defaults().maxConnections()).isEqualTo(10_000);
    }

    @Test
    void a_builder_accepts_every_setting() {
        var quotas = new Quotas(new Quota(1, 2, 3, 4, 5, 6), Quota.UNLIMITED, Quota.UNLIMITED);
        var rates = new RestRates(1, 2, 3, 4, 5);
        var rules = rule(rule -> promising(rule, Duration.ofSeconds(1)));
        HubSettings settings = HubSettings.builder()
                .connectionStateTtl(Duration.ofSeconds(40))
                .maxIdleInterval(Duration.ofSeconds(41))
                .remainPresentFor(Duration.ofSeconds(5))
                .maxClaimTtl(Duration.ofSeconds(6))
                .claimTimeout(Duration.ofSeconds(7))
                .maxConnections(8)
                .maxChannels(9)
                .maxAttachmentsPerConnection(10)
                .maxMembersPerChannel(11)
                .maxWaitingClaimsPerChannel(12)
                .maxMessageBytes(13)
                .maxFrameBytes(26)
                .inboundRatePerSecond(14)
                .inboundBurst(15)
                .controlBurst(16)
                .storedAcksPerConnection(18)
                .heldAcksPerConnection(17)
                .keysPerConnection(19)
                .historyCount(20)
                .historyBytes(21)
                .historyBytesInAll(22)
                .historyAge(Duration.ofSeconds(23))
                .lastMessageAge(Duration.ofSeconds(24))
                .maxChannelNameLength(25)
                .maxClientIdLength(27)
                .presenceBytesPerChannel(28)
                .presenceBytesInAll(29)
                .quotas(usual -> quotas)
                .restRates(usual -> rates)
                .channelRules(rules)
                .serverId("here")
                .build();
        assertThat(settings)
                .isEqualTo(new HubSettings(
                        Duration.ofSeconds(40),
                        Duration.ofSeconds(41),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(6),
                        Duration.ofSeconds(7),
                        8,
                        9,
                        10,
                        11,
                        28,
                        29,
                        12,
                        13,
                        26,
                        14,
                        15,
                        16,
                        18,
                        17,
                        19,
                        20,
                        21,
                        22,
                        Duration.ofSeconds(23),
                        Duration.ofSeconds(24),
                        25,
                        27,
                        quotas,
                        rates,
                        rules,
                        "here"));
    }

    @Test
    void quotas_are_changed_one_by_one() {
        Quota changed = Quota.UNLIMITED
                .withConnections(1)
                .withChannels(2)
                .withClaims(3)
                .withClaimsPerMinute(4)
                .withPresenceBytes(5)
                .withMessagesPerSecond(6);
        assertThat(changed).isEqualTo(new Quota(1, 2, 3, 4, 5, 6));
        assertThat(Quotas.DEFAULT.withKey(changed).key()).isEqualTo(changed);
        assertThat(Quotas.DEFAULT.withClient(changed).client()).isEqualTo(changed);
        assertThat(Quotas.DEFAULT.withAddress(changed).address()).isEqualTo(changed);
    }

    @Test
    void rates_are_changed_one_by_one() {
        assertThat(new RestRates(1, 2, 3, 4, 5)
                        .withMessagesPerSecond(11)
                        .withMessagesAtOnce(12)
                        .withRequestsPerSecond(13)
                        .withRequestsAtOnce(14)
                        .withMaxCallers(15))
                .isEqualTo(new RestRates(11, 12, 13, 14, 15));
    }

    private static ChannelRules rule(UnaryOperator<ChannelRule> change) {
        return new ChannelRules(List.of(change.apply(ChannelRule.of("x"))));
    }

    private static ChannelRule promising(ChannelRule rule, Duration ttl) {
        return new ChannelRule(
                rule.pattern(),
                rule.slots(),
                rule.publishers(),
                rule.fencing(),
                Optional.of(ttl),
                rule.maxMembers(),
                rule.historyCount(),
                rule.historyAge());
    }

    private static ChannelRule keeping(ChannelRule rule, Duration age) {
        return new ChannelRule(
                rule.pattern(),
                rule.slots(),
                rule.publishers(),
                rule.fencing(),
                rule.maxClaimTtl(),
                rule.maxMembers(),
                rule.historyCount(),
                Optional.of(age));
    }
}
