package dev.doyen.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.LossCause;
import dev.doyen.process.RunSignal;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the decisions of {@code doyen run} step by step.
 *
 * <p>The class is long, because it tests many sequences of events.
 */
final class RunMachineTest {

    private static final Optional<Duration> FOR_EVER = Optional.empty();

    @Test
    void the_command_starts_when_elected() {
        var stage = new RunStage(RunStage.settings());
        assertThat(stage.take()).isEmpty();

        assertThat(stage.elected(1, 8000).take()).containsExactly("(elected)", "start 1");
    }

    @Test
    void the_command_does_not_start_under_a_lease_that_expires_soon() {
        var stage = new RunStage(RunStage.settings());
        assertThat(stage.elected(1, 2000).take()).containsExactly("(elected)");
        assertThat(stage.after(100).passed(1900).take()).isEmpty();

        assertThat(stage.after(100).passed(8000).take()).containsExactly("start 1");
    }

    @Test
    void a_term_that_ends_before_the_start_is_released_at_once() {
        var stage = new RunStage(RunStage.settings());
        stage.elected(1, 2000).take();

        assertThat(stage.lost(LossCause.EXPIRED).take()).containsExactly("let go");
        assertThat(stage.elected(2, 8000).take()).containsExactly("(elected)", "start 2");
    }

    @Test
    void a_command_that_exits_ends_the_run_with_its_code_after_saving() {
        var stage = RunStage.running(RunStage.settings());

        assertThat(stage.exited(7).take()).containsExactly("(exited)", "save");
        assertThat(stage.hasEnded()).isFalse();
        assertThat(stage.saved().take()).containsExactly("exit 7");
        assertThat(stage.hasEnded()).isTrue();
    }

    @Test
    void remaining_processes_of_the_command_are_stopped_before_the_release() {
        var stage = RunStage.running(RunStage.settings());

        assertThat(stage.exitedLeavingOthers(0).take()).containsExactly("(exited)", "(left-behind)", "terminate");
        assertThat(stage.after(4999).passed(8000).take()).isEmpty();
        assertThat(stage.after(1).passed(8000).take()).containsExactly("(killed)", "kill");
        assertThat(stage.gone().take()).containsExactly("save");
        assertThat(stage.saved().take()).containsExactly("exit 0");
    }

    @Test
    void saving_is_limited_to_half_a_ttl() {
        var stage = RunStage.running(RunStage.settings());
        stage.exited(0).take();
        assertThat(stage.wakeIn()).contains(5000L);
        assertThat(stage.after(4999).passed(8000).take()).isEmpty();

        assertThat(stage.after(1).passed(8000).take()).containsExactly("(state-not-saved)", "exit 0");
    }

    @Test
    void saving_ends_with_the_lease() {
        var stage = RunStage.running(RunStage.settings());
        stage.after(5000).exited(0).take();

        assertThat(stage.wakeIn()).contains(3000L);
        assertThat(stage.lost(LossCause.EXPIRED).take()).containsExactly("let go", "exit 0");
    }

    @Test
    void the_command_gets_sigterm_before_the_lease_expires_and_sigkill_at_its_expiry() {
        var stage = RunStage.running(RunStage.settings());
        assertThat(stage.wakeIn()).contains(6000L);
        assertThat(stage.after(5999).passed(2001).take()).isEmpty();

        assertThat(stage.after(1).passed(2000).take()).containsExactly("(lease-expires-soon)", "terminate");
        assertThat(stage.wakeIn()).contains(2000L);
        assertThat(stage.after(1999).passed(1).take()).isEmpty();
        assertThat(stage.after(1).passed(0).take()).containsExactly("(killed)", "kill");
    }

    @Test
    void an_unreadable_lease_does_not_expire_earlier() {
        var stage = RunStage.running(RunStage.settings());

        // After the end of the term, the driver passes a remaining time of zero until the loss event arrives.
        assertThat(stage.after(1000).passed(0).take()).isEmpty();
        assertThat(stage.lost(LossCause.RESIGNED).take()).containsExactly("(lost)", "terminate");
    }

    @Test
    void the_next_command_starts_like_the_first() {
        var stage = RunStage.running(RunStage.settings());
        stage.lost(LossCause.EXPIRED).exited(137).elected(3, 8000).take();

        assertThat(stage.signalled(RunSignal.TERM).take()).containsExactly("forward TERM");
        assertThat(stage.gone().take()).isEmpty();
        assertThat(stage.after(5000).passed(8000).take()).containsExactly("(killed)", "kill");
        assertThat(stage.exited(137).saved().take()).containsExactly("(exited)", "save", "exit 137");
    }

    @Test
    void a_renewal_postpones_the_stop() {
        var stage = RunStage.running(RunStage.settings());

        assertThat(stage.after(5000).passed(8000).take()).isEmpty();
        assertThat(stage.wakeIn()).contains(6000L);
        assertThat(stage.after(5999).passed(2001).take()).isEmpty();
    }

    @Test
    void after_a_stop_before_expiry_it_resigns_and_campaigns_again() {
        var stage = RunStage.running(RunStage.settings());
        stage.after(6000).passed(2000).take();

        assertThat(stage.exited(143).take()).containsExactly("(exited)", "save");
        assertThat(stage.saved().take()).containsExactly("resign");
        assertThat(stage.lost(LossCause.RESIGNED).take()).containsExactly("let go");
        assertThat(stage.elected(2, 8000).take()).containsExactly("(elected)", "start 2");
    }

    @ParameterizedTest
    @EnumSource(names = {"EXPIRED", "SUSPENDED", "SUPERSEDED"})
    void a_loss_after_which_others_can_lead_kills_at_once(LossCause cause) {
        var stage = RunStage.running(RunStage.settings());

        assertThat(stage.after(1000).lost(cause).take()).containsExactly("(lost)", "(killed)", "kill");
        assertThat(stage.exited(137).take()).containsExactly("(exited)", "let go");
    }

    @ParameterizedTest
    @EnumSource(names = {"RESIGNED", "TRANSFERRED", "PAUSED", "UNHEALTHY", "CLOSED"})
    void a_resignation_leaves_the_grace(LossCause cause) {
        var stage = RunStage.running(RunStage.settings());

        assertThat(stage.lost(cause).take()).containsExactly("(lost)", "terminate");
        assertThat(stage.after(4999).passed(0).take()).isEmpty();
        assertThat(stage.after(1).passed(0).take()).containsExactly("(killed)", "kill");
    }

    @Test
    void a_resignation_leaves_at_most_the_remaining_lease() {
        var stage = RunStage.running(RunStage.settings());

        assertThat(stage.after(5500).lost(LossCause.RESIGNED).take()).containsExactly("(lost)", "terminate");
        assertThat(stage.wakeIn()).contains(2500L);
        assertThat(stage.after(2500).passed(0).take()).containsExactly("(killed)", "kill");
    }

    @Test
    void a_lost_term_is_released_only_after_all_processes_have_ended() {
        var stage = RunStage.running(RunStage.settings());
        stage.lost(LossCause.RESIGNED).take();

        assertThat(stage.exitedLeavingOthers(0).take()).containsExactly("(exited)", "(left-behind)", "terminate");
        assertThat(stage.isStopping()).isTrue();
        assertThat(stage.gone().take()).containsExactly("let go");
        assertThat(stage.isStopping()).isFalse();
    }

    @Test
    void the_command_has_not_ended_before_its_exit_code_is_known() {
        var stage = RunStage.running(RunStage.settings());
        stage.signalled(RunSignal.TERM).take();

        assertThat(stage.gone().take()).isEmpty();
        assertThat(stage.exited(3).saved().take()).containsExactly("(exited)", "save", "exit 3");
    }

    @Test
    void a_kill_is_repeated_while_a_process_runs() {
        var stage = RunStage.running(RunStage.settings());
        stage.lost(LossCause.EXPIRED).take();
        assertThat(stage.wakeIn()).contains(100L);

        assertThat(stage.after(99).passed(0).take()).isEmpty();
        assertThat(stage.after(1).passed(0).take()).containsExactly("kill");
        assertThat(stage.after(100).passed(0).take()).containsExactly("kill");
    }

    @Test
    void a_process_that_is_being_killed_gets_no_sigterm() {
        var stage = RunStage.running(RunStage.settings());
        stage.lost(LossCause.EXPIRED).take();

        assertThat(stage.exitedLeavingOthers(137).take()).containsExactly("(exited)");
    }

    @Test
    void restart_starts_the_command_again_at_the_next_election() {
        var stage = RunStage.running(RunStage.settings());
        stage.lost(LossCause.SUPERSEDED).exited(137).take();

        assertThat(stage.leaderSeen("other", 2).take()).containsExactly("(waiting)");
        assertThat(stage.elected(3, 8000).take()).containsExactly("(elected)", "start 3");
    }

    @Test
    void processes_that_outlive_the_lease_are_reported() {
        var stage = RunStage.running(RunStage.settings());
        stage.lost(LossCause.EXPIRED).take();

        assertThat(stage.overlapped("other", 2).take()).containsExactly("(overlapped)");
    }

    @Test
    void stop_stops_and_exits_with_the_code_for_conflicts() {
        var stage = RunStage.running(RunStage.settings(OnLost.STOP, FOR_EVER, true));

        assertThat(stage.lost(LossCause.RESIGNED).take()).containsExactly("(lost)", "terminate");
        assertThat(stage.exited(143).take()).containsExactly("(exited)", "let go", "exit 77");
    }

    @Test
    void stop_also_exits_after_a_stop_before_expiry() {
        var stage = RunStage.running(RunStage.settings(OnLost.STOP, FOR_EVER, true));
        stage.after(6000).passed(2000).exited(0).take();

        assertThat(stage.saved().take()).containsExactly("exit 77");
    }

    @Test
    void exit_kills_at_once_and_exits_with_the_code_for_conflicts() {
        var stage = RunStage.running(RunStage.settings(OnLost.EXIT, FOR_EVER, true));

        assertThat(stage.lost(LossCause.RESIGNED).take()).containsExactly("(lost)", "(killed)", "kill");
        assertThat(stage.exited(137).take()).containsExactly("(exited)", "let go", "exit 77");
    }

    @Test
    void a_command_killed_by_the_watchdog_counts_as_a_loss() {
        var stage = RunStage.running(RunStage.settings());

        assertThat(stage.killedByWatchdog().take()).containsExactly("(exited)", "(killed)", "save");
        assertThat(stage.lost(LossCause.EXPIRED).take()).containsExactly("let go");
        assertThat(stage.elected(3, 8000).take()).containsExactly("(elected)", "start 3");
    }

    @Test
    void a_kill_by_the_watchdog_is_reported_even_after_the_loss() {
        var stage = RunStage.running(RunStage.settings());
        stage.lost(LossCause.EXPIRED).take();

        assertThat(stage.killedByWatchdog().take()).containsExactly("(exited)", "(killed)", "let go");
    }

    @Test
    void a_kill_by_the_watchdog_ends_the_run_with_on_lost_stop() {
        var stage = RunStage.running(RunStage.settings(OnLost.STOP, FOR_EVER, true));

        stage.killedByWatchdog().take();
        assertThat(stage.lost(LossCause.EXPIRED).take()).containsExactly("let go", "exit 77");
    }

    @Test
    void a_command_that_exited_keeps_its_code_if_the_lease_is_lost_meanwhile() {
        var stage = RunStage.running(RunStage.settings(OnLost.STOP, FOR_EVER, true));
        stage.exitedLeavingOthers(5).lost(LossCause.SUPERSEDED).take();

        assertThat(stage.gone().take()).containsExactly("let go", "exit 5");
    }

    @ParameterizedTest
    @EnumSource(names = {"TERM", "INT"})
    void a_signal_to_end_is_forwarded_and_starts_the_grace(RunSignal signal) {
        var stage = RunStage.running(RunStage.settings());

        assertThat(stage.signalled(signal).take()).containsExactly("forward " + signal);
        assertThat(stage.after(4999).passed(8000).take()).isEmpty();
        assertThat(stage.after(1).passed(8000).take()).containsExactly("(killed)", "kill");
        assertThat(stage.exited(137).take()).containsExactly("(exited)", "save");
        assertThat(stage.saved().take()).containsExactly("exit 137");
    }

    @Test
    void a_command_ended_by_a_forwarded_signal_ends_the_run_with_its_code() {
        var stage = RunStage.running(RunStage.settings());
        stage.signalled(RunSignal.TERM).take();

        assertThat(stage.exited(3).take()).containsExactly("(exited)", "save");
        assertThat(stage.saved().take()).containsExactly("exit 3");
    }

    @Test
    void a_second_signal_to_end_kills() {
        var stage = RunStage.running(RunStage.settings());
        stage.signalled(RunSignal.INT).take();

        assertThat(stage.signalled(RunSignal.TERM).take()).containsExactly("(killed)", "kill");
    }

    @ParameterizedTest
    @EnumSource(names = {"HUP", "USR1", "USR2", "WINCH"})
    void other_signals_are_only_forwarded(RunSignal signal) {
        var stage = RunStage.running(RunStage.settings());

        assertThat(stage.signalled(signal).take()).containsExactly("forward " + signal);
        assertThat(stage.isStopping()).isFalse();
        stage.signalled(RunSignal.TERM).take();
        assertThat(stage.signalled(signal).take()).containsExactly("forward " + signal);
    }

    @Test
    void a_requested_stop_ends_when_the_lease_expires() {
        var stage = RunStage.running(RunStage.settings());
        stage.after(5000).signalled(RunSignal.TERM).take();

        assertThat(stage.wakeIn()).contains(3000L);
        assertThat(stage.after(3000).passed(0).take()).containsExactly("(killed)", "kill");
    }

    @Test
    void a_requested_stop_has_its_full_grace_while_the_lease_is_renewed() {
        var stage = RunStage.running(RunStage.settings());
        stage.after(5000).signalled(RunSignal.TERM).take();

        assertThat(stage.after(1000).passed(8000).take()).isEmpty();
        assertThat(stage.wakeIn()).contains(4000L);
    }

    @Test
    void a_loss_while_stopping_kills_at_once() {
        var stage = RunStage.running(RunStage.settings());
        stage.signalled(RunSignal.TERM).take();

        assertThat(stage.lost(LossCause.SUPERSEDED).take()).containsExactly("(killed)", "kill");
        assertThat(stage.exited(137).take()).containsExactly("(exited)", "let go", "exit 137");
    }

    @Test
    void a_signal_during_a_stop_before_expiry_ends_the_run() {
        var stage = RunStage.running(RunStage.settings());
        stage.lost(LossCause.RESIGNED).take();

        assertThat(stage.signalled(RunSignal.TERM).take()).containsExactly("forward TERM");
        assertThat(stage.exited(0).take()).containsExactly("(exited)", "let go", "exit 143");
    }

    @Test
    void a_signal_ends_the_saving() {
        var stage = RunStage.running(RunStage.settings());
        stage.exited(4).take();

        assertThat(stage.signalled(RunSignal.TERM).take()).containsExactly("exit 4");
    }

    @ParameterizedTest
    @EnumSource(names = {"TERM", "INT", "HUP"})
    void a_signal_ends_the_wait(RunSignal signal) {
        var stage = new RunStage(RunStage.settings());

        assertThat(stage.signalled(signal).take()).containsExactly("exit " + signal.exitCode());
    }

    @ParameterizedTest
    @EnumSource(names = {"USR1", "USR2", "WINCH"})
    void a_signal_without_a_running_command_is_dropped(RunSignal signal) {
        var stage = new RunStage(RunStage.settings());

        assertThat(stage.signalled(signal).take()).isEmpty();
    }

    @Test
    void each_change_of_the_leader_is_reported_once() {
        var stage = new RunStage(RunStage.settings());
        assertThat(stage.nobodySeen().take()).isEmpty();

        assertThat(stage.leaderSeen("other", 4).leaderSeen("other", 4).take()).containsExactly("(waiting)");
        assertThat(stage.leaderSeen("third", 5).take()).containsExactly("(waiting)");
        assertThat(stage.nobodySeen().take()).containsExactly("(waiting)");
    }

    @Test
    void a_record_with_the_own_id_is_not_another_leader() {
        var stage = RunStage.running(RunStage.settings(OnLost.RESTART, FOR_EVER, false));
        stage.lost(LossCause.RESIGNED).exited(0).take();

        assertThat(stage.leaderSeen("me", 1).take()).isEmpty();
    }

    @Test
    void with_no_wait_another_leader_ends_the_run() {
        var stage = new RunStage(RunStage.settings(OnLost.RESTART, FOR_EVER, false));

        assertThat(stage.leaderSeen("other", 4).take()).containsExactly("(gave-up)", "exit 77");
    }

    @Test
    void with_no_wait_a_silent_store_is_retried_for_one_ttl() {
        var stage = new RunStage(RunStage.settings(OnLost.RESTART, FOR_EVER, false));
        assertThat(stage.after(9999).passed(0).take()).isEmpty();

        assertThat(stage.after(1).passed(0).take()).containsExactly("(gave-up)", "exit 77");
    }

    @Test
    void the_wait_for_the_election_is_limited() {
        var stage = new RunStage(RunStage.settings(OnLost.RESTART, Optional.of(Duration.ofSeconds(3)), true));
        assertThat(stage.leaderSeen("other", 4).take()).containsExactly("(waiting)");
        assertThat(stage.wakeIn()).contains(3000L);
        assertThat(stage.after(2999).passed(0).take()).isEmpty();

        assertThat(stage.after(1).passed(0).take()).containsExactly("(gave-up)", "exit 77");
    }

    @Test
    void each_wait_has_its_own_limit() {
        var stage = RunStage.running(RunStage.settings(OnLost.RESTART, Optional.of(Duration.ofSeconds(3)), true));
        stage.after(60_000).lost(LossCause.EXPIRED).exited(137).take();

        assertThat(stage.wakeIn()).contains(3000L);
    }

    @Test
    void a_command_that_cannot_be_started_ends_the_run() {
        var stage = RunStage.running(RunStage.settings());

        assertThat(stage.startFailed(127).take()).containsExactly("(not-started)", "exit 127");
    }

    @Test
    void after_the_end_only_a_term_is_released() {
        var stage = RunStage.running(RunStage.settings());
        stage.startFailed(127).take();

        assertThat(stage.passed(0)
                        .signalled(RunSignal.TERM)
                        .elected(2, 8000)
                        .exited(0)
                        .gone()
                        .saved()
                        .take())
                .isEmpty();
        assertThat(stage.lost(LossCause.CLOSED).take()).containsExactly("let go");
    }
}
