package dev.doyen.hub.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests random bytes, and valid frames in which bytes are replaced, removed or repeated.
 *
 * <p>The codec must read each input as a frame or reject it as malformed. If the codec reads a frame, the codec must be
 * able to write that frame as JSON and as msgpack, and to read both results.
 */
@Execution(ExecutionMode.CONCURRENT)
class FrameFuzzTest {

    private static final int FRAMES = 100_000;
    private static final long SEED = 20_261_121L;

    private final FrameCodec codec = new FrameCodec(4_096);
    private final Random random = new Random(SEED);
    private final Mangler mangler = new Mangler(random);

    @Test
    void every_input_is_a_frame_or_malformed() {
        List<byte[]> seeds = seeds();
        int read = 0;
        for (int i = 0; i < FRAMES; i++) {
            byte[] bytes = i % 10 == 0 ? mangler.noise() : mangler.mangled(seeds.get(random.nextInt(seeds.size())));
            Format format = random.nextInt(8) == 0 ? other(bytes) : own(bytes);
            try {
                ProtocolMessage frame = codec.decode(bytes, format);
                read++;
                for (Format written : Format.values()) {
                    byte[] again = codec.encode(frame, written);
                    if (again.length <= 4_096) {
                        assertThat(codec.decode(again, written)).isEqualTo(frame);
                    }
                }
            } catch (MalformedFrameException e) {
                assertThat(e.getMessage()).isNotBlank().hasSizeLessThan(400);
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
                throw new AssertionError("frame " + i + " of seed " + SEED + " failed: " + e, e);
            }
        }
        assertThat(read).as("enough changed frames are valid").isBetween(10_000, 90_000);
    }

    private List<byte[]> seeds() {
        var seeds = new ArrayList<byte[]>();
        for (String json : new String[] {
            "{\"action\":10,\"channel\":\"x\",\"channelSerial\":null,\"params\":{\"rewind\":\"1\"},\"flags\":65536}",
            "{\"action\":15,\"channel\":\"x\",\"msgSerial\":3,\"messages\":[{\"name\":\"n\",\"data\":\"AQID\","
                    + "\"encoding\":\"base64\",\"extras\":{\"headers\":{\"doyen-term\":7,\"l\":[1.5,null,true]}}}]}",
            "{\"action\":14,\"channel\":\"\\u00e4\",\"msgSerial\":0,\"presence\":[{\"action\":2,\"clientId\":\"a\","
                    + "\"data\":\"{\\\"role\\\":\\\"L\\\"}\",\"encoding\":\"json\",\"timestamp\":1700000000000}]}",
            "{\"action\":4,\"connectionId\":\"c\",\"connectionDetails\":{\"clientId\":\"*\",\"maxMessageSize\":65536,"
                    + "\"connectionStateTtl\":120000},\"error\":{\"code\":80018,\"statusCode\":400,\"message\":\"m\"}}",
            "{\"action\":1,\"msgSerial\":0,\"count\":1,\"res\":[{\"serials\":[\"s\",null]}]}"
        }) {
            byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
            seeds.add(bytes);
            try {
                seeds.add(codec.encode(codec.decode(bytes, Format.JSON), Format.MSGPACK));
            } catch (MalformedFrameException e) {
                throw new AssertionError("this example is not a frame: " + json, e);
            }
        }
        return seeds;
    }

    private static Format own(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == '{' ? Format.JSON : Format.MSGPACK;
    }

    private static Format other(byte[] bytes) {
        return own(bytes) == Format.JSON ? Format.MSGPACK : Format.JSON;
    }
}
