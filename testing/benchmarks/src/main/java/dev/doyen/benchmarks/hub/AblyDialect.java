package dev.doyen.benchmarks.hub;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The realtime protocol of the hub, in JSON. */
final class AblyDialect implements Dialect {

    private static final byte[] ENTRIES = "{\"action\":14,".getBytes(StandardCharsets.US_ASCII);
    private static final byte OPENING = '{';
    private static final String LEADER = "\"data\":\"leader\"";

    private final String key;
    private final long remainPresentMillis;
    private final boolean usesTls;

    AblyDialect(String key, long remainPresentMillis, boolean usesTls) {
        this.key = key;
        this.remainPresentMillis = remainPresentMillis;
        this.usesTls = usesTls;
    }

    @Override
    public boolean usesTls() {
        return usesTls;
    }

    @Override
    public String target(String clientId) {
        return "/?v=3&format=json&heartbeats=false&key=" + key + "&clientId=" + clientId + "&remainPresentFor="
                + remainPresentMillis;
    }

    @Override
    public String publish(Part part, String channel, long number, String text) {
        long serial = part == Part.LISTENER ? number : number + 1;
        return "{\"action\":15,\"channel\":\"" + channel + "\",\"msgSerial\":" + serial
                + ",\"messages\":[{\"name\":\"t\",\"data\":\"" + text + "\"}]}";
    }

    @Override
    public String firstClaim(String channel) {
        return "{\"action\":14,\"channel\":\"" + channel
                + "\",\"msgSerial\":1,\"presence\":[{\"action\":4,\"data\":\"leader\"}]}";
    }

    @Override
    public boolean hasLaterEntry() {
        return true;
    }

    @Override
    public String laterEntry(String channel, String clientId) {
        return "{\"action\":14,\"channel\":\"" + channel
                + "\",\"msgSerial\":0,\"presence\":[{\"action\":2,\"data\":\"here\"}]}";
    }

    /**
     * Counts the entries of a presence frame by its opening braces.
     *
     * <p>For a frame that does not begin as a presence frame, the result is 0. A presence frame contains one opening brace for each member
     * and one opening brace for the frame, because the data of these members contain no braces. This count is several
     * times as fast as parsing the frame.
     */
    @Override
    public int entriesIn(ByteBuf frame) {
        if (frame.readableBytes() < ENTRIES.length || !startsWith(frame, ENTRIES)) {
            return 0;
        }
        int brackets = 0;
        int from = frame.readerIndex() + 1;
        int to = frame.writerIndex();
        for (int at = frame.indexOf(from, to, OPENING); at >= 0; at = frame.indexOf(at + 1, to, OPENING)) {
            brackets++;
        }
        return brackets;
    }

    private static boolean startsWith(ByteBuf frame, byte[] start) {
        for (int i = 0; i < start.length; i++) {
            if (frame.getByte(frame.readerIndex() + i) != start[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<String> farewell() {
        return List.of("{\"action\":7}");
    }

    @Override
    public Protocol talk(Part part, String clientId, String channel) {
        return new AblyProtocol(part, clientId, channel);
    }

    private static final class AblyProtocol implements Protocol {
        private final Part part;
        private final String clientId;
        private final String channel;
        private boolean attached;
        private boolean entered;
        private long nextSerial;

        AblyProtocol(Part part, String clientId, String channel) {
            this.part = part;
            this.clientId = clientId;
            this.channel = channel;
            this.entered = part == Part.LISTENER;
        }

        @Override
        public List<String> received(String text) {
            var answers = new ArrayList<String>();
            if (text.startsWith("{\"action\":4,")) {
                String modes = part == Part.WORKER ? ",\"params\":{\"modes\":\"publish,presence\"}" : "";
                answers.add("{\"action\":10,\"channel\":\"" + channel + "\"" + modes + "}");
                if (part != Part.LISTENER) {
                    answers.add(presence(2, "here"));
                }
            } else if (text.startsWith("{\"action\":11,")) {
                attached = true;
            } else if (text.startsWith("{\"action\":1,")) {
                entered = true;
            } else if (part == Part.CANDIDATE && isVacancy(text)) {
                answers.add(presence(4, "leader"));
            }
            return answers;
        }

        @Override
        public boolean isReady() {
            return attached && entered;
        }

        @Override
        public String messageIn(String text) {
            return text.startsWith("{\"action\":15,") ? between(text, "\"data\":\"", "\"") : "";
        }

        @Override
        public String leaderIn(String text) {
            return text.startsWith("{\"action\":14,") && text.contains("\"doyen-term\"")
                    ? between(text, "\"clientId\":\"", "\"")
                    : "";
        }

        /**
         * Returns true if the text reports that a leader has left. The data in the leave event show whether the member
         * led.
         */
        private boolean isVacancy(String text) {
            return text.startsWith("{\"action\":14,") && text.contains("{\"action\":3,") && text.contains(LEADER);
        }

        private String presence(int action, String data) {
            return "{\"action\":14,\"channel\":\"" + channel + "\",\"msgSerial\":" + nextSerial++
                    + ",\"presence\":[{\"action\":" + action + ",\"clientId\":\"" + clientId + "\",\"data\":\"" + data
                    + "\"}]}";
        }
    }

    static String between(String text, String start, String end) {
        int from = text.indexOf(start);
        int to = from < 0 ? -1 : text.indexOf(end, from + start.length());
        return to < 0 ? "" : text.substring(from + start.length(), to);
    }
}
