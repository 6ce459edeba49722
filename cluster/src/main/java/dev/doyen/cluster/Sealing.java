package dev.doyen.cluster;

import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.LongAdder;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ByteArray;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Seals whole messages, headers and all, with the key that the members share: AES-GCM with a random nonce for each. What was
 * not sealed with that key, or was changed since, is dropped unread. It lies directly above the transport, so that it covers
 * discovery, failure detection, joins and merges as well as what members say.
 *
 * <p>Of JGroups' own protocols {@code SYM_ENCRYPT} knows only ciphers that do not notice a change, and lets messages through
 * that have headers only; see docs/decisions/0023.
 *
 * <p>Threads: any.
 */
public final class Sealing extends Protocol {

    private static final System.Logger LOG = System.getLogger("dev.doyen.cluster");
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKey key;
    private final SecureRandom random = new SecureRandom();
    private final LongAdder dropped = new LongAdder();

    Sealing(SecretKey key) {
        this.key = key;
    }

    /** How many messages were dropped, for they were not sealed with this key. */
    long droppedMessages() {
        return dropped.sum();
    }

    @Override
    public @Nullable Object down(Message message) {
        try {
            return down_prot.down(seal(message));
        } catch (Exception e) {
            throw new IllegalStateException("a message to " + message.getDest() + " could not be sealed", e);
        }
    }

    @Override
    public @Nullable Object up(Message message) {
        Message opened = open(message);
        return opened == null ? null : up_prot.up(opened);
    }

    @Override
    public void up(MessageBatch batch) {
        for (Message message : batch) {
            Message opened = open(message);
            if (opened != null) {
                up_prot.up(opened);
            }
        }
    }

    private Message seal(Message message) throws Exception {
        if (message.getSrc() == null) {
            message.setSrc(local_addr);
        }
        ByteArray plain = Util.messageToBuffer(message);
        var nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        Cipher cipher = cipher(Cipher.ENCRYPT_MODE, nonce, 0);
        var sealed = new byte[NONCE_BYTES + cipher.getOutputSize(plain.getLength())];
        System.arraycopy(nonce, 0, sealed, 0, NONCE_BYTES);
        cipher.doFinal(plain.getArray(), plain.getOffset(), plain.getLength(), sealed, NONCE_BYTES);
        var outer = new BytesMessage(message.getDest(), sealed);
        outer.setSrc(message.getSrc());
        outer.setFlag(message.getFlags(false), false);
        outer.setFlag(message.getFlags(true), true);
        return outer;
    }

    private @Nullable Message open(Message message) {
        try {
            if (!(message instanceof BytesMessage) || message.getLength() <= NONCE_BYTES) {
                throw new GeneralSecurityException("it is not sealed");
            }
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, message.getArray(), message.getOffset());
            byte[] plain = cipher.doFinal(
                    message.getArray(), message.getOffset() + NONCE_BYTES, message.getLength() - NONCE_BYTES);
            Message inner = Util.messageFromBuffer(plain, 0, plain.length);
            if (inner.getDest() == null) {
                inner.setDest(message.getDest());
            }
            return inner;
        } catch (Exception e) {
            dropped.increment();
            if (dropped.sum() == 1) {
                LOG.log(
                        Level.WARNING,
                        "a message that claims to be from " + message.getSrc()
                                + " is not sealed with this cluster's secret, and is dropped, as all such will be: "
                                + e.getMessage());
            }
            return null;
        }
    }

    private Cipher cipher(int mode, byte[] nonce, int offset) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce, offset, NONCE_BYTES));
        return cipher;
    }
}
