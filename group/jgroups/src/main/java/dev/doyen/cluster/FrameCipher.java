package dev.doyen.cluster;

import dev.doyen.store.support.SharedKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jgroups.stack.IpAddress;

/**
 * Encrypts outgoing frames and decrypts incoming ones by AES-GCM, before JGroups parses them.
 *
 * <p>A frame consists of the version, the sender's session, the frame's number, and the encrypted bytes with their tag.
 * A session is 16 random bytes, drawn when the process starts. The session's key is derived from it and from the shared
 * key. The frames of a session are numbered from 0. So no key is ever used twice with one nonce, whatever other
 * processes do. The {@link Line} and the destination address are authenticated, but not sent. So the receiver
 * rejects a frame that arrives on another line or at another address.
 *
 * <p>A frame opens only once. For each session the last {@value #WINDOW} numbers are remembered. An older frame is
 * rejected, as if it were lost. A process that restarts remembers none; docs/decisions/0023 describes the consequence.
 *
 * <p>Threads: any.
 */
final class FrameCipher {

    /** The purpose of a frame. A frame of one line does not open on another. */
    enum Line {
        MESSAGES,
        MULTICAST,
        SUSPICION
    }

    /** The purpose for which the key is derived from a cluster's secret. */
    static final String PURPOSE = "doyen-cluster";

    /** How many bytes a frame adds to its content. */
    static final int OVERHEAD = 1 + 16 + Long.BYTES + 16;

    /**
     * The longest frame.
     *
     * <p>JGroups batches messages up to 64 kB. The longest single message is a view of many members with long names.
     */
    static final int MAX_FRAME = 1 << 20;

    /** How far a frame's number may be behind the newest number of its session. */
    static final int WINDOW = 1_024;

    /** Limit for remembered sessions. Beyond it the least recently used one is dropped. */
    static final int MAX_SESSIONS = 500;

    private static final byte VERSION = 1;
    private static final int SESSION_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SharedKey shared;
    private final ByteBuffer session;
    private final SecretKey own;
    private final AtomicLong number = new AtomicLong();

    /** By session. Guarded by itself. */
    private final Map<ByteBuffer, PeerSession> sessions = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, PeerSession> eldest) {
            return size() > MAX_SESSIONS;
        }
    };

    FrameCipher(SharedKey shared) {
        this.shared = shared;
        var drawn = new byte[SESSION_BYTES];
        new SecureRandom().nextBytes(drawn);
        this.session = ByteBuffer.wrap(drawn);
        this.own = shared.ofSession(drawn);
    }

    /** @throws IllegalArgumentException if the content is too long for a frame */
    byte[] encrypt(Line line, IpAddress to, byte[] plain, int offset, int length) {
        if (length > MAX_FRAME - OVERHEAD) {
            throw new IllegalArgumentException(
                    length + " bytes are too long for a frame; the limit is " + (MAX_FRAME - OVERHEAD));
        }
        long next = number.getAndIncrement();
        var frame = ByteBuffer.allocate(OVERHEAD + length);
        frame.put(VERSION).put(session.duplicate()).putLong(next);
        try {
            cipher(Cipher.ENCRYPT_MODE, own, next, associatedData(line, to, session.array()))
                    .doFinal(ByteBuffer.wrap(plain, offset, length), frame);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot encrypt with AES-GCM", e);
        }
        return frame.array();
    }

    /**
     * Decrypts a frame and returns its content.
     *
     * @param to the address at which the frame arrived
     * @throws RejectedFrameException if the frame was not encrypted with this key for this line and address, was changed, or
     *     was opened before
     */
    byte[] open(Line line, IpAddress to, byte[] frame, int offset, int length) throws RejectedFrameException {
        if (length < OVERHEAD || length > MAX_FRAME || frame[offset] != VERSION) {
            throw new RejectedFrameException("it is not encrypted");
        }
        var in = ByteBuffer.wrap(frame, offset + 1, length - 1);
        var from = new byte[SESSION_BYTES];
        in.get(from);
        long sent = in.getLong();
        PeerSession sender = heardOf(from);
        byte[] plain;
        try {
            plain = cipher(Cipher.DECRYPT_MODE, sender.key, sent, associatedData(line, to, from))
                    .doFinal(frame, in.position(), in.remaining());
        } catch (GeneralSecurityException e) {
            throw new RejectedFrameException(
                    "it was encrypted with another secret or for another cluster or address, or was"
                            + " changed on the way");
        }
        if (sent < 0 || !remember(from, sender, sent)) {
            throw new RejectedFrameException("it was received before, or is far too late");
        }
        return plain;
    }

    /** Returns the session's state. A new session is not stored yet, because anybody can invent sessions. */
    private PeerSession heardOf(byte[] from) {
        synchronized (sessions) {
            PeerSession known = sessions.get(ByteBuffer.wrap(from));
            if (known != null) {
                return known;
            }
        }
        return new PeerSession(shared.ofSession(from));
    }

    private boolean remember(byte[] from, PeerSession sender, long sent) {
        synchronized (sessions) {
            // Two first frames of a session may be opened at the same time.
            PeerSession kept = sessions.putIfAbsent(ByteBuffer.wrap(from), sender);
            return (kept == null ? sender : kept).isNew(sent);
        }
    }

    private static Cipher cipher(int mode, SecretKey key, long number, byte[] associatedData)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        byte[] nonce = ByteBuffer.allocate(NONCE_BYTES)
                .putLong(NONCE_BYTES - Long.BYTES, number)
                .array();
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(associatedData);
        return cipher;
    }

    /** Returns the authenticated data: version, line, session and address. The number is the nonce. */
    private static byte[] associatedData(Line line, IpAddress to, byte[] session) {
        byte[] name = line.name().getBytes(StandardCharsets.US_ASCII);
        byte[] address = to.getIpAddress().getAddress();
        return ByteBuffer.allocate(2 + name.length + session.length + Integer.BYTES + address.length)
                .put(VERSION)
                .put((byte) name.length)
                .put(name)
                .put(session)
                .putInt(to.getPort())
                .put(address)
                .array();
    }

    /** The session of another process: its key, and which of its frames were opened. */
    private static final class PeerSession {
        final SecretKey key;

        /** For each slot, the number of the last opened frame in it, plus one. */
        private final long[] opened = new long[WINDOW];

        PeerSession(SecretKey key) {
            this.key = key;
        }

        boolean isNew(long sent) {
            int place = (int) (sent % WINDOW);
            if (opened[place] > sent) {
                return false;
            }
            opened[place] = sent + 1;
            return true;
        }
    }
}
