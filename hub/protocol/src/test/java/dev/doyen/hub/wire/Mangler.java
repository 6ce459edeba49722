package dev.doyen.hub.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Damages bytes and text at random. A change replaces, removes or repeats bytes. */
public final class Mangler {

    private static final byte[] MARKS = "0123456789{}[]\",:\\eE.-".getBytes(StandardCharsets.US_ASCII);

    private final Random random;

    public Mangler(Random random) {
        this.random = random;
    }

    /** Returns fewer than 200 random bytes. Some results begin like a JSON object or a msgpack map. */
    public byte[] noise() {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        if (bytes.length > 0 && random.nextBoolean()) {
            bytes[0] = (byte) (random.nextBoolean() ? '{' : 0x80 | random.nextInt(16));
        }
        return bytes;
    }

    /** Returns a copy with up to three changes. One copy in four is unchanged. */
    public byte[] mangled(byte[] good) {
        byte[] bytes = good.clone();
        for (int n = random.nextInt(4); n > 0 && bytes.length > 0; n--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes = Arrays.copyOf(bytes, at);
                case 3 -> bytes = spliced(bytes, at, bytes, random.nextInt(bytes.length));
                case 4 -> bytes = spliced(bytes, at, noise(), 0);
                default -> bytes[at] = MARKS[random.nextInt(MARKS.length)];
            }
        }
        return bytes;
    }

    public String mangled(String good) {
        return new String(mangled(good.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }

    /**
     * Returns the bytes of {@code one} up to index {@code at}, followed by the bytes of {@code other} from index {@code
     * from}.
     */
    private static byte[] spliced(byte[] one, int at, byte[] other, int from) {
        byte[] out = Arrays.copyOf(one, at + other.length - from);
        System.arraycopy(other, from, out, at, other.length - from);
        return out;
    }
}
