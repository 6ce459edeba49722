package dev.doyen.stores.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import org.junit.jupiter.api.Test;

/** Tests which events make the request of a read unnecessary, and which events are too old. */
class UnreadEventsTest {

    private final UnreadEvents events = new UnreadEvents();

    @Test
    void an_event_answers_one_read() {
        events.put("k", at(5));
        assertThat(events.take("k"))
                .hasValueSatisfying(value -> assertThat(value.getModRevision()).isEqualTo(5));
        assertThat(events.take("k")).isEmpty();
    }

    @Test
    void an_event_older_than_the_own_write_is_ignored() {
        events.put("k", at(5));
        events.recordRevision("k", 6);
        assertThat(events.take("k"))
                .as("an older event before the answer is ignored")
                .isEmpty();
        events.put("k", at(5));
        assertThat(events.take("k"))
                .as("an older event after the answer is ignored")
                .isEmpty();
        events.recordRevision("k", 4);
        events.put("k", at(5));
        assertThat(events.take("k"))
                .as("a late answer with an older revision changes nothing")
                .isEmpty();
        events.put("k", at(6));
        assertThat(events.take("k")).as("the event of the own write is used").isPresent();
        events.put("other", at(5));
        assertThat(events.take("other")).isPresent();
    }

    private static KeyValue at(long revision) {
        var api = io.etcd.jetcd.api.KeyValue.newBuilder()
                .setKey(ByteString.copyFromUtf8("k"))
                .setModRevision(revision)
                .build();
        return new KeyValue(api, ByteSequence.EMPTY);
    }
}
