package dev.doyen.stores.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import org.junit.jupiter.api.Test;

/** Which reads an event answers, and which events come too late. */
class UnreadEventsTest {

    private final UnreadEvents news = new UnreadEvents();

    @Test
    void an_event_answers_one_read() {
        news.put("k", at(5));
        assertThat(news.take("k"))
                .hasValueSatisfying(value -> assertThat(value.getModRevision()).isEqualTo(5));
        assertThat(news.take("k")).isEmpty();
    }

    @Test
    void what_is_older_than_what_was_written_here_is_no_news_whenever_it_comes() {
        news.put("k", at(5));
        news.know("k", 6);
        assertThat(news.take("k")).as("came before the answer").isEmpty();
        news.put("k", at(5));
        assertThat(news.take("k")).as("came after it").isEmpty();
        news.know("k", 4);
        news.put("k", at(5));
        assertThat(news.take("k"))
                .as("an older answer that comes late changes nothing")
                .isEmpty();
        news.put("k", at(6));
        assertThat(news.take("k")).as("the event of the very write").isPresent();
        news.put("other", at(5));
        assertThat(news.take("other")).isPresent();
    }

    private static KeyValue at(long revision) {
        var api = io.etcd.jetcd.api.KeyValue.newBuilder()
                .setKey(ByteString.copyFromUtf8("k"))
                .setModRevision(revision)
                .build();
        return new KeyValue(api, ByteSequence.EMPTY);
    }
}
