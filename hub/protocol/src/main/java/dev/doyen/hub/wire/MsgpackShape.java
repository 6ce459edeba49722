package dev.doyen.hub.wire;

/**
 * Checks that bytes are exactly one valid msgpack value, before the codec builds any object.
 *
 * <p>Lengths must fit the input, keys must be text, and nesting is limited. The check allocates only its stack. The
 * source is the format table of the msgpack specification.
 */
final class MsgpackShape {

    private final byte[] bytes;
    private final int maxDepth;
    private int at;

    /**
     * The number of missing values in each open container. The array {@code isMap} contains true for a container that
     * is a map.
     */
    private final long[] owed;

    private final boolean[] isMap;
    private int depth;

    private MsgpackShape(byte[] bytes, int maxDepth) {
        this.bytes = bytes;
        this.maxDepth = maxDepth;
        this.owed = new long[maxDepth];
        this.isMap = new boolean[maxDepth];
    }

    static void check(byte[] bytes, int maxDepth) throws MalformedFrameException {
        new MsgpackShape(bytes, maxDepth).walk();
    }

    private void walk() throws MalformedFrameException {
        value();
        while (depth > 0) {
            int top = depth - 1;
            if (owed[top] == 0) {
                depth--;
            } else {
                // A map has two values per entry, and the key comes first. A key is therefore next if the number of
                // missing values is even.
                if (isMap[top] && owed[top] % 2 == 0) {
                    key();
                }
                owed[top]--;
                value();
            }
        }
        if (at != bytes.length) {
            throw new MalformedFrameException("the msgpack frame ends at byte " + at + ", but " + (bytes.length - at)
                    + " bytes follow; send one message per frame");
        }
    }

    private void key() throws MalformedFrameException {
        int type = at < bytes.length ? bytes[at] & 0xff : -1;
        boolean text = (type >= 0xa0 && type <= 0xbf) || (type >= 0xd9 && type <= 0xdb);
        if (type >= 0 && !text) {
            throw new MalformedFrameException("the msgpack map has a key at byte " + at + " that is not text");
        }
    }

    private void value() throws MalformedFrameException {
        int type = (int) unsigned(1);
        if (type <= 0x7f || type >= 0xe0) {
            return;
        }
        if (type <= 0x8f) {
            open(2L * (type & 0x0f), true);
        } else if (type <= 0x9f) {
            open(type & 0x0f, false);
        } else if (type <= 0xbf) {
            skip(type & 0x1f);
        } else {
            tagged(type);
        }
    }

    private void tagged(int type) throws MalformedFrameException {
        switch (type) {
            case 0xc0, 0xc2, 0xc3 -> {} // nil, false, true
            case 0xc4, 0xd9 -> skip(unsigned(1)); // bin 8, str 8
            case 0xc5, 0xda -> skip(unsigned(2));
            case 0xc6, 0xdb -> skip(unsigned(4));
            case 0xc7 -> skip(unsigned(1) + 1); // ext 8: a type byte, then the payload
            case 0xc8 -> skip(unsigned(2) + 1);
            case 0xc9 -> skip(unsigned(4) + 1);
            case 0xcc, 0xd0 -> skip(1); // 8 bit numbers
            case 0xcd, 0xd1, 0xd4 -> skip(2); // 16 bit numbers, fixext 1
            case 0xd5 -> skip(3);
            case 0xca, 0xce, 0xd2 -> skip(4); // 32 bit numbers
            case 0xd6 -> skip(5);
            case 0xcb, 0xcf, 0xd3 -> skip(8); // 64 bit numbers
            case 0xd7 -> skip(9);
            case 0xd8 -> skip(17);
            case 0xdc -> open(unsigned(2), false);
            case 0xdd -> open(unsigned(4), false);
            case 0xde -> open(2 * unsigned(2), true);
            case 0xdf -> open(2 * unsigned(4), true);
            default ->
                throw new MalformedFrameException(
                        "byte " + (at - 1) + " of the msgpack frame is 0xc1, which msgpack does not define");
        }
    }

    private void open(long values, boolean map) throws MalformedFrameException {
        if (values > bytes.length - at) {
            throw new MalformedFrameException("the msgpack " + (map ? "map" : "list") + " before byte " + at
                    + " promises " + values + " values, but only " + (bytes.length - at) + " bytes follow");
        }
        if (depth == maxDepth) {
            throw new MalformedFrameException("the msgpack frame nests deeper than " + maxDepth + " levels");
        }
        owed[depth] = values;
        isMap[depth] = map;
        depth++;
    }

    private void skip(long count) throws MalformedFrameException {
        if (count > bytes.length - at) {
            throw new MalformedFrameException("the msgpack frame is cut off: " + count + " bytes should follow byte "
                    + at + ", but only " + (bytes.length - at) + " do");
        }
        at += (int) count;
    }

    private long unsigned(int width) throws MalformedFrameException {
        if (width > bytes.length - at) {
            throw new MalformedFrameException("the msgpack frame is cut off at byte " + bytes.length);
        }
        long value = 0;
        for (int i = 0; i < width; i++) {
            value = value << 8 | (bytes[at++] & 0xff);
        }
        return value;
    }
}
