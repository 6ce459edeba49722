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
 * Encrypts outgoing frames and decrypts incoming frames with AES-GCM, before JGroups parses them.
 *
 * <p>A frame consists of the version, the sender's session, the frame's number, and the encrypted bytes with their tag.
 * A session is 16 random bytes, which each process chooses at its start. The session's key is derived from the session
 * and from the shared key. The frames of a session are numbered from 0, and the number is the nonce. So each
 * combination of key and nonce is used only once, even if other processes are faulty. The {@link Line} and the
 * destination address are authenticated, but not sent. So the receiver rejects a frame that arrives on another line or
 * at another address.
 *
 * <p>A receiver accepts each frame at most once, as long as it stores the state of the frame's session. For each
 * session, the receiver stores {@value #WINDOW} frame numbers, one for each remainder modulo {@value #WINDOW}. It
 * rejects a frame if it has stored the same number, or a greater number with the same remainder. A process that
 * restarts has stored no numbers; docs/decisions/0023 describes the consequence.
 *
 * <p>Threads: any.
 */
final class FrameCipher {

    /** The purpose of a frame. A frame of one line cannot be decrypted on another line. */
    enum Line {
        MESSAGES,
        MULTICAST,
        SUSPICION
    }

    /** The label with which the key is derived from the cluster's secret. */
    static final String PURPOSE = "doyen-cluster";

    /** The number of bytes that a frame adds to its content. */
    static final int OVERHEAD = 1 + 16 + Long.BYTES + 16;

    /**
     * The maximum number of bytes of a frame.
     *
     * <p>The longest message is a view of many members with long names.
     */
    static final int MAX_FRAME = 1 << 20;

    /** The number of frame numbers that the receiver stores for each session. */
    static final int WINDOW = 1_024;

    /** The maximum number of stored sessions. Above this number, the least recently used session is dropped. */
    static final int MAX_SESSIONS = 500;

    private static final byte VERSION = 1;
    private static final int SESSION_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SharedKey shared;
    private final ByteBuffer session;
    private final SecretKey own;
    private final AtomicLong number = new AtomicLong();

    /**
     * The states of the senders' sessions. The key of the map is the 16 bytes of a session. The map is guarded by its
     * own monitor.
     */
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
     * @throws RejectedFrameException if the frame was not encrypted with this key for this line and address, if it was
     *     changed, or if this frame or a later frame with the same remainder modulo {@value #WINDOW} was decrypted
     *     before
     */
    byte[] open(Line line, IpAddress to, byte[] frame, int offset, int length) throws RejectedFrameException {
        if (length < OVERHEAD || length > MAX_FRAME || frame[offset] != VERSION) {
            throw new RejectedFrameException("it is not encrypted");
        }
        var in = ByteBuffer.wrap(frame, offset + 1, length - 1);
        var from = new byte[SESSION_BYTES];
        in.get(from);
        long sent = in.getLong();
        PeerSession sender = sessionOf(from);
        byte[] plain;
        try {
            plain = cipher(Cipher.DECRYPT_MODE, sender.key, sent, associatedData(line, to, from))
                    .doFinal(frame, in.position(), in.remaining());
        } catch (GeneralSecurityException e) {
            throw new RejectedFrameException(
                    "it was encrypted with another secret, or for another cluster or address, or was changed in"
                            + " transit");
        }
        if (sent < 0 || !remember(from, sender, sent)) {
            throw new RejectedFrameException("it is a repeated or a very late message");
        }
        return plain;
    }

    /**
     * Returns the session's state. The method does not store a new session, because a foreign process can invent any
     * number of sessions. {@link #remember} stores the session after its first frame was decrypted.
     */
    private PeerSession sessionOf(byte[] from) {
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
            // Two threads can decrypt the first frames of a session at the same time.
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

    /**
     * Returns the authenticated data: version, line, session and address. These data omit the frame's number, because
     * the number is authenticated as the nonce.
     */
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

    /** The state of a sender's session: the key, and the numbers of the decrypted frames. */
    private static final class PeerSession {
        final SecretKey key;

        /**
         * The greatest numbers of decrypted frames, plus 1. Element i belongs to the numbers whose remainder modulo
         * {@link #WINDOW} is i. The element is 0 if no such frame was decrypted.
         */
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
