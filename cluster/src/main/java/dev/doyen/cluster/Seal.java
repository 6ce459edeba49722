package dev.doyen.cluster;

import dev.doyen.store.SharedKey;
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
 * Seals what leaves a process and opens what arrives, by AES-GCM, before JGroups reads any of it.
 *
 * <p>A frame is: the version, the sender's session, its number, and the sealed bytes with their tag. A session is 16 random
 * bytes, drawn when the process begins; its key is made from it and the shared key, and its frames are numbered from 0, so
 * that no nonce is used twice with one key, whatever other processes do. What a frame is for ({@link Line}) and the address
 * it is sent to are sealed with it but not in it: put elsewhere, it does not open.
 *
 * <p>A frame is opened once. Of each session the numbers seen are remembered, the last {@value #WINDOW}; what is older is
 * not opened, as if it had been lost. A process that begins anew has seen none: see docs/decisions/0023 for what follows.
 *
 * <p>Threads: any.
 */
final class Seal {

    /** What a frame is for. A frame of one line does not open on another. */
    enum Line {
        MESSAGES,
        MULTICAST,
        SUSPICION
    }

    /** The purpose of the key that is made from the secret of a cluster. */
    static final String PURPOSE = "doyen-cluster";

    /** So many bytes a frame adds to what it seals. */
    static final int OVERHEAD = 1 + 16 + Long.BYTES + 16;

    /**
     * The longest frame. Messages are put together up to 64 kB; the longest single one is a view of many members with long
     * names.
     */
    static final int MAX_FRAME = 1 << 20;

    /** So far behind the newest number of its session a frame may be. */
    static final int WINDOW = 1_024;

    /** So many sessions are remembered; beyond that the one heard of longest ago is forgotten. */
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
    private final Map<ByteBuffer, Heard> heard = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Heard> eldest) {
            return size() > MAX_SESSIONS;
        }
    };

    Seal(SharedKey shared) {
        this.shared = shared;
        var drawn = new byte[SESSION_BYTES];
        new SecureRandom().nextBytes(drawn);
        this.session = ByteBuffer.wrap(drawn);
        this.own = shared.ofSession(drawn);
    }

    /** @throws IllegalArgumentException if it is too long for a frame */
    byte[] seal(Line line, IpAddress to, byte[] plain, int offset, int length) {
        if (length > MAX_FRAME - OVERHEAD) {
            throw new IllegalArgumentException(
                    length + " bytes are to be sealed; at most " + (MAX_FRAME - OVERHEAD) + " can be");
        }
        long next = number.getAndIncrement();
        var frame = ByteBuffer.allocate(OVERHEAD + length);
        frame.put(VERSION).put(session.duplicate()).putLong(next);
        try {
            cipher(Cipher.ENCRYPT_MODE, own, next, sealedWith(line, to, session.array()))
                    .doFinal(ByteBuffer.wrap(plain, offset, length), frame);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot seal by AES-GCM", e);
        }
        return frame.array();
    }

    /**
     * What was sealed.
     *
     * @param to where it arrived
     * @throws BrokenSealException if it was not sealed with this key for this line and address, was changed since, or has
     *     been opened before
     */
    byte[] open(Line line, IpAddress to, byte[] frame, int offset, int length) throws BrokenSealException {
        if (length < OVERHEAD || length > MAX_FRAME || frame[offset] != VERSION) {
            throw new BrokenSealException("it is not sealed");
        }
        var in = ByteBuffer.wrap(frame, offset + 1, length - 1);
        var from = new byte[SESSION_BYTES];
        in.get(from);
        long sent = in.getLong();
        Heard sender = heardOf(from);
        byte[] plain;
        try {
            plain = cipher(Cipher.DECRYPT_MODE, sender.key, sent, sealedWith(line, to, from))
                    .doFinal(frame, in.position(), in.remaining());
        } catch (GeneralSecurityException e) {
            throw new BrokenSealException("it was sealed with another secret or for another cluster or address, or was"
                    + " changed on the way");
        }
        if (sent < 0 || !remember(from, sender, sent)) {
            throw new BrokenSealException("it was heard before, or is far too late");
        }
        return plain;
    }

    /** The session's memory; for one that was not heard of, one that is not kept yet, for anybody can name a session. */
    private Heard heardOf(byte[] from) {
        synchronized (heard) {
            Heard known = heard.get(ByteBuffer.wrap(from));
            if (known != null) {
                return known;
            }
        }
        return new Heard(shared.ofSession(from));
    }

    private boolean remember(byte[] from, Heard sender, long sent) {
        synchronized (heard) {
            // Two first frames of a session may be opened at the same time.
            Heard kept = heard.putIfAbsent(ByteBuffer.wrap(from), sender);
            return (kept == null ? sender : kept).isNew(sent);
        }
    }

    private static Cipher cipher(int mode, SecretKey key, long number, byte[] sealedWith)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        byte[] nonce = ByteBuffer.allocate(NONCE_BYTES)
                .putLong(NONCE_BYTES - Long.BYTES, number)
                .array();
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(sealedWith);
        return cipher;
    }

    /** Version, line, session and address. The number is the nonce. */
    private static byte[] sealedWith(Line line, IpAddress to, byte[] session) {
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

    /** One session of another process: its key, and which of its frames were opened. */
    private static final class Heard {
        final SecretKey key;

        /** At each place the number after the last one opened that belongs there. */
        private final long[] opened = new long[WINDOW];

        Heard(SecretKey key) {
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
