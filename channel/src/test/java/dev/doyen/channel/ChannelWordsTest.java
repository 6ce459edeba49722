package dev.doyen.channel;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import dev.doyen.channel.roll.RollCall;
import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What members write on their channel, and what is read as nothing. The same in ring-words.test.ts. */
class ChannelWordsTest {

    private static final Member ANN = new Member("ann", "i1");
    private static final Member BOB = new Member("bob", "i2");
    private static final ViewId VIEW = new ViewId(7, "cafe");

    @Test
    void a_letter_and_an_announcement_are_written_so_and_read_back() {
        var letter = ChannelWords.letter(BOB, ANN, Optional.of(VIEW), "ring/orders", new byte[] {1, -1});
        assertThat(letter).isEqualTo(json("""
                        {"v":1,"from":"i1","view":[7,"cafe"],"to":"i2","topic":"ring/orders","m":"Af8="}"""));
        ChannelWords.Letter read =
                ChannelWords.read("doyen.member", "ann", letter).orElseThrow();
        assertThat(read.from()).isEqualTo(ANN);
        assertThat(read.view()).contains(VIEW);
        assertThat(read.to()).isEqualTo("i2");
        assertThat(read.topic()).isEqualTo("ring/orders");
        assertThat(read.bytes()).containsExactly(1, -1);

        assertThat(read.atMillis()).isEmpty();

        var said = ChannelWords.announcement(ANN, VIEW, List.of("i3"), 1234);
        assertThat(said).isEqualTo(json("""
                {"v":1,"from":"i1","view":[7,"cafe"],"at":1234,"silent":["i3"]}"""));
        assertThat(ChannelWords.read("doyen.member", "ann", said).orElseThrow().atMillis())
                .hasValue(1234);
        assertThat(ChannelWords.read("doyen.member", "ann", said).orElseThrow().silent())
                .containsExactly("i3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7",
                "[]",
                "null",
                "{}",
                "{'v':2,'from':'i1'}",
                "{'v':1}",
                "{'v':1,'from':''}",
                "{'v':1,'from':7}",
                "{'v':1,'from':'i\\u0000'}",
                "{'v':1,'from':'i1','to':7,'topic':'t','m':''}",
                "{'v':1,'from':'i1','to':'i2','m':''}",
                "{'v':1,'from':'i1','to':'i2','topic':'t'}",
                "{'v':1,'from':'i1','to':'i2','topic':'t','m':'!'}"
            })
    void what_is_no_letter_is_read_as_nothing(String text) {
        assertThat(ChannelWords.read("doyen.member", "ann", json(text))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7",
                "[]",
                "[1]",
                "[1,2]",
                "['1','x',3]",
                "[0,'x']",
                "[1.5e300,'x']",
                "['7','x']",
                "[{},'x']",
                "[1,'']"
            })
    void a_view_that_cannot_be_is_none(String view) {
        var data = json("{'v':1,'from':'i1','view':" + view + "}");
        assertThat(ChannelWords.read("doyen.member", "ann", data).orElseThrow().view())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"'x'", "'7'", "-1", "{}", "[]", "null", "1.5e300"})
    void a_time_that_cannot_be_is_none(String at) {
        var data = json("{'v':1,'from':'i1','at':" + at + "}");
        assertThat(ChannelWords.read("doyen.member", "ann", data).orElseThrow().atMillis())
                .isEmpty();
    }

    @Test
    void a_number_that_is_not_counted_to_is_none() {
        var data = json("{'v':1,'from':'i1','view':[" + (RollCall.MAX_NUMBER + 1) + ",'x']}");
        assertThat(ChannelWords.read("doyen.member", "ann", data).orElseThrow().view())
                .isEmpty();
    }

    @Test
    void another_name_and_a_sender_without_an_id_say_nothing() {
        var data = json("{'v':1,'from':'i1'}");
        assertThat(ChannelWords.read("other", "ann", data)).isEmpty();
        assertThat(ChannelWords.read("doyen.member", null, data)).isEmpty();
        assertThat(ChannelWords.read("doyen.member", "ann", data)).isPresent();
    }

    @Test
    void an_entry_without_our_data_is_no_member() {
        assertThat(ChannelWords.entry("ann", "c1", 5, ChannelWords.presence(ANN))
                        .member())
                .contains(ANN);
        assertThat(ChannelWords.entry("ann", "c1", 5, ChannelWords.presence(ANN))
                        .key())
                .isEqualTo("c1:ann");
        for (Object data :
                new Object[] {"leader", json("{}"), json("{'doyen':'member'}"), json("{'incarnation':'i1'}")}) {
            assertThat(ChannelWords.entry("ann", "c1", 5, data).member()).isEmpty();
        }
        assertThat(ChannelWords.entry("ann", "c1", 5, null).member()).isEmpty();
    }

    private static JsonElement json(String text) {
        return JsonParser.parseString(text);
    }
}
