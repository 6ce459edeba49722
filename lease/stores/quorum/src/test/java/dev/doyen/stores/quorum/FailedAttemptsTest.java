package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;

class FailedAttemptsTest {

    private final IOException notThere = new ConnectException("Connection refused");

    private final FailedAttempts attempts = new FailedAttempts();

    @Test
    void a_missing_member_is_reported_once_without_a_warning() {
        for (int i = 0; i < 3 * FailedAttempts.REJECTIONS; i++) {
            assertThat(attempts.warning(notThere)).isEmpty();
            assertThat(attempts.isToBeAnnounced()).isEqualTo(i == 0);
        }
    }

    @Test
    void a_member_that_was_connected_before_is_not_reported() {
        attempts.connected();

        assertThat(attempts.isToBeAnnounced()).isFalse();
    }

    @Test
    void another_secret_or_protocol_is_a_warning_at_once() {
        var refused = new RefusedPeerException("it has no secret");

        assertThat(attempts.warning(refused)).contains(refused);
    }

    @Test
    void only_repeatedly_closed_connections_are_a_warning() {
        for (int i = 1; i < FailedAttempts.REJECTIONS; i++) {
            assertThat(attempts.warning(new ClosedHandshakeException(true)))
                    .as("attempt " + i)
                    .isEmpty();
        }
        assertThat(attempts.warning(new ClosedHandshakeException(true)))
                .hasValueSatisfying(each -> assertThat(each)
                        .hasMessage("it closed the connection during the handshake 20 times in a row; check that both"
                                + " have the same secret"));
        assertThat(attempts.warning(new ClosedHandshakeException(false)))
                .hasValueSatisfying(each -> assertThat(each).hasMessageContaining("check that it is a member"));
    }

    @Test
    void a_successful_connection_resets_the_count() {
        for (int i = 1; i < FailedAttempts.REJECTIONS; i++) {
            attempts.warning(new ClosedHandshakeException(true));
        }
        attempts.warning(notThere);
        assertThat(attempts.warning(new ClosedHandshakeException(true))).isEmpty();
        for (int i = 2; i < FailedAttempts.REJECTIONS; i++) {
            attempts.warning(new ClosedHandshakeException(true));
        }
        attempts.connected();
        assertThat(attempts.warning(new ClosedHandshakeException(true))).isEmpty();
    }
}
