package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.BytesMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

/** Two ends of a line, sealed by the same secret or by different ones. */
class SealingTest {

    private static final UUID FROM = UUID.randomUUID();
    private static final UUID TO = UUID.randomUUID();

    /** A neighbour in the stack that keeps what it is given. */
    private static final class Neighbour extends Protocol {
        final List<Message> given = new ArrayList<>();

        @Override
        public Object down(Message message) {
            given.add(message);
            return message;
        }

        @Override
        public Object up(Message message) {
            given.add(message);
            return message;
        }
    }

    private final Neighbour line = new Neighbour();
    private final Neighbour above = new Neighbour();
    private final Sealing sender = sealing("a secret of thirty-two characters", "orders");

    @Test
    void what_is_sealed_is_opened_and_cannot_be_read_on_the_way() {
        BytesMessage sealed = sealed("top secret");
        assertThat(new String(sealed.getArray(), StandardCharsets.ISO_8859_1)).doesNotContain("top secret");
        Sealing receiver = sealing("a secret of thirty-two characters", "orders");
        receiver.up(sealed);
        assertThat(text(above.given.get(0))).isEqualTo("top secret");
        assertThat(above.given.get(0).getSrc()).isEqualTo(FROM);
        assertThat(receiver.droppedMessages()).isZero();
    }

    @Test
    void what_was_changed_on_the_way_is_dropped_whatever_byte_it_is() {
        Sealing receiver = sealing("a secret of thirty-two characters", "orders");
        int length = sealed("text").getLength();
        for (int i = 0; i < length; i++) {
            BytesMessage sealed = sealed("text");
            sealed.getArray()[i] ^= 1;
            receiver.up(sealed);
        }
        assertThat(above.given).isEmpty();
        assertThat(receiver.droppedMessages()).isEqualTo(length);
    }

    @Test
    void another_secret_and_the_same_one_of_another_cluster_open_nothing() {
        for (Sealing receiver : List.of(
                sealing("another secret of many characters", "orders"),
                sealing("a secret of thirty-two characters", "bills"))) {
            receiver.up(sealed("text"));
            assertThat(receiver.droppedMessages()).isEqualTo(1);
        }
        assertThat(above.given).isEmpty();
    }

    @Test
    void what_is_not_sealed_at_all_is_dropped_in_a_batch_too() {
        Sealing receiver = sealing("a secret of thirty-two characters", "orders");
        var batch = new MessageBatch(5);
        batch.add(new BytesMessage(TO, "text".getBytes(StandardCharsets.UTF_8)));
        batch.add(new EmptyMessage(TO));
        batch.add(sealed("text"));
        receiver.up(batch);
        assertThat(above.given).hasSize(1);
        assertThat(receiver.droppedMessages()).isEqualTo(2);
    }

    private BytesMessage sealed(String text) {
        line.given.clear();
        var message = new BytesMessage(TO, text.getBytes(StandardCharsets.UTF_8));
        message.setSrc(FROM);
        sender.down(message);
        return (BytesMessage) line.given.get(0);
    }

    private Sealing sealing(String secret, String cluster) {
        var sealing = new Sealing(SharedKey.of(secret, cluster));
        sealing.setDownProtocol(line);
        sealing.setUpProtocol(above);
        return sealing;
    }

    private static String text(Message message) {
        return new String(message.getArray(), message.getOffset(), message.getLength(), StandardCharsets.UTF_8);
    }
}
