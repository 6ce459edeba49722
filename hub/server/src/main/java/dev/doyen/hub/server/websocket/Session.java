package dev.doyen.hub.server.websocket;

import dev.doyen.elector.http.ConnectionLimit;
import dev.doyen.elector.http.HttpPipeline;
import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.MalformedFrameException;
import dev.doyen.log.FaultLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A WebSocket session. A session decodes input and writes output. A session closes if its peer is gone, silent or slow.
 *
 * <p>The event loop of the socket calls the methods, unless a method states another rule. Any thread may call
 * {@link #id}, {@link #format}, {@link #address}, {@link #eventLoop} and {@link #waiting}.
 */
final class Session extends SimpleChannelInboundHandler<WebSocketFrame> {

    private static final System.Logger LOG = System.getLogger(Session.class.getName());

    /** The payload of the ping before the last frame. The payload of all other pings is empty. */
    private static final byte[] LAST_PING = "last".getBytes(StandardCharsets.US_ASCII);

    /** The faults of all sessions. A client must not fill the log with frames that fail. */
    private static final FaultLog FAULTS = new FaultLog(LOG);

    private final SessionId id;
    private final Format format;
    private final String address;
    private final Channel channel;
    private final FrameCodec codec;
    private final SessionLimits limits;
    private final HubLoop hub;
    private final WaitingInputs waiting;

    private final long openedNanos = System.nanoTime();
    private long lastReadNanos = openedNanos;
    private long lastWriteNanos = openedNanos;
    /** True if the hub has sent a frame. The first frame of the hub accepts or rejects the client. */
    private boolean isAnswered;

    private boolean flushOwed;
    private boolean slow;
    private final ReaderProgress pace;
    private long slowTimes;
    /** The bytes that the hub has written to the socket. */
    private long writtenBytes;
    /** The bytes of this session that {@link OutboundBytes} has counted as sent. */
    private long sentBytes;

    /** The bytes of this session that {@link OutboundBytes} has counted as queued. */
    private long queuedBytes;

    private Ending ending = Ending.NONE;
    private boolean peerAnsweredLastPing;
    private volatile boolean peerReadLastFrames;

    /** The progress of the end of a session. */
    private enum Ending {
        NONE,
        /** The last frame is queued, or the socket is lost. The session writes no further frames and ignores input. */
        LAST_FRAME_QUEUED
    }

    Session(
            SessionId id,
            ConnectRequest connect,
            Channel channel,
            FrameCodec codec,
            SessionLimits limits,
            HubLoop hub) {
        this.id = id;
        this.format = connect.format();
        this.address = connect.address();
        this.channel = channel;
        this.codec = codec;
        this.limits = limits;
        this.hub = hub;
        this.pace = new ReaderProgress(limits.slowBytes());
        this.waiting = new WaitingInputs(limits, this::adjustReading);
    }

    SessionId id() {
        return id;
    }

    Format format() {
        return format;
    }

    /** Returns the client's address; empty if it is unknown. Any thread may call this method. */
    String address() {
        return address;
    }

    EventLoop eventLoop() {
        return channel.eventLoop();
    }

    WaitingInputs waiting() {
        return waiting;
    }

    /**
     * Waits until the socket is closed, but at most {@code nanos} nanoseconds. Any thread except an event loop may call
     * this method.
     */
    void awaitClosed(long nanos) {
        channel.closeFuture().awaitUninterruptibly(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /**
     * Returns true if the peer answered the last ping and then sent a close frame. The peer received all frames before
     * that ping, so the server assumes that the peer has read them.
     *
     * <p>A close frame alone is no answer. The peer possibly sent it before it received these frames.
     *
     * <p>Any thread may call this method after the socket is closed.
     */
    boolean hasPeerReadLastFrames() {
        return peerReadLastFrames;
    }

    /**
     * Queues a frame to write.
     *
     * @return true if the frame is the first frame since the last {@link #flush}; the caller must then flush
     */
    boolean write(ByteBuf frame) {
        if (ending != Ending.NONE || !channel.isActive()) {
            frame.release();
            return false;
        }
        if (!isAnswered) {
            isAnswered = true;
            ConnectionLimit.clientAccepted(channel);
        }
        pace.queued(frame.readableBytes());
        writtenBytes += frame.readableBytes();
        channel.write(frame, channel.voidPromise());
        lastWriteNanos = System.nanoTime();
        if (!channel.isWritable() && channel.bytesBeforeWritable() > limits.maxQueuedBytes()) {
            drop("more than " + limits.maxQueuedBytes() + " bytes are unread");
        }
        boolean first = !flushOwed;
        flushOwed = true;
        return first;
    }

    /**
     * Reports to the hub after the socket has taken all earlier frames.
     *
     * @return true if the caller must flush
     */
    boolean reportFlush() {
        if (ending != Ending.NONE || !channel.isActive()) {
            return false;
        }
        channel.write(Unpooled.EMPTY_BUFFER).addListener(written -> {
            if (written.isSuccess()) {
                hub.flushed(this);
            }
        });
        boolean first = !flushOwed;
        flushOwed = true;
        return first;
    }

    /** Closes the socket after a frame was lost. The peer then reconnects and receives the frames that it missed. */
    void giveUp() {
        channel.close();
    }

    void flush() {
        flushOwed = false;
        channel.flush();
        countBytes();
    }

    /** Updates the counts of taken and waiting bytes. */
    private void countBytes() {
        // A closed socket has no buffer. Its waiting bytes are lost.
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        long waiting = buffer == null ? 0 : buffer.totalPendingWriteBytes();
        hub.outboundBytes().addQueued(waiting - queuedBytes);
        queuedBytes = waiting;
        // The buffer adds its own overhead to the waiting bytes. So writtenBytes minus waiting can fall.
        long more = buffer == null ? 0 : Math.max(0, writtenBytes - waiting - sentBytes);
        hub.outboundBytes().addSent(more);
        sentBytes += more;
    }

    /**
     * Queues a ping, a last frame and a close frame. Closes the socket after a short time.
     *
     * <p>The ping precedes the last frame, because a client can close its socket as soon as it has read the last frame.
     */
    void end(ByteBuf lastFrame) {
        if (ending != Ending.NONE || !channel.isActive()) {
            lastFrame.release();
            return;
        }
        ending = Ending.LAST_FRAME_QUEUED;
        channel.config().setAutoRead(true);
        channel.write(WireFrame.ping(LAST_PING), channel.voidPromise());
        writtenBytes += lastFrame.readableBytes();
        channel.write(lastFrame, channel.voidPromise());
        channel.writeAndFlush(WireFrame.close());
        countBytes();
        closeSoon();
    }

    private void closeSoon() {
        var deadline = channel.eventLoop().schedule(() -> channel.close(), limits.closeMillis(), TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> deadline.cancel(false));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
        lastReadNanos = System.nanoTime();
        if (frame instanceof CloseWebSocketFrame) {
            peerCloses();
        } else if (frame instanceof PongWebSocketFrame) {
            peerAnsweredLastPing |=
                    ending != Ending.NONE && Arrays.equals(ByteBufUtil.getBytes(frame.content()), LAST_PING);
        } else if (ending != Ending.NONE) {
            return;
        } else if (frame instanceof PingWebSocketFrame) {
            if (channel.isWritable()) {
                channel.writeAndFlush(WireFrame.pong(ByteBufUtil.getBytes(frame.content())));
                lastWriteNanos = lastReadNanos;
            }
        } else if (frame instanceof TextWebSocketFrame || frame instanceof BinaryWebSocketFrame) {
            decode(ByteBufUtil.getBytes(frame.content()));
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        countBytes();
        boolean wasSlow = slow;
        slow = !channel.isWritable();
        if (slow && !wasSlow) {
            pace.begin(unreadBytes());
            checkProgressLater(++slowTimes);
        }
    }

    private void checkProgressLater(long time) {
        channel.eventLoop().schedule(() -> look(time), limits.slowMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Returns the number of bytes that are queued beyond the low water mark. The result omits the unread bytes below
     * this mark. Their number is constant, so the omission does not affect comparisons.
     */
    private long unreadBytes() {
        return channel.bytesBeforeWritable();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        countBytes();
        if (ending == Ending.NONE) {
            ending = Ending.LAST_FRAME_QUEUED;
            hub.lost(this);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (HttpPipeline.isConnectionFault(cause)) {
            channel.close();
        } else if (!(cause instanceof DecoderException)) {
            FAULTS.report("a WebSocket session", cause);
            channel.close();
        } else if (ending == Ending.NONE) {
            LOG.log(Level.DEBUG, () -> "session " + id.value() + " sent no acceptable frame: " + cause.getMessage());
            hub.unreadable(
                    this,
                    "a WebSocket frame breaks RFC 6455 or is longer than " + limits.maxFrameBytes()
                            + " bytes; the socket is closed");
        } else {
            channel.close();
        }
    }

    /**
     * Closes the socket after a close frame of the peer. If the session has not begun to end, the method first answers
     * the close frame.
     */
    private void peerCloses() {
        if (ending != Ending.NONE) {
            peerReadLastFrames = peerAnsweredLastPing;
            channel.close();
            return;
        }
        ending = Ending.LAST_FRAME_QUEUED;
        hub.lost(this);
        channel.writeAndFlush(WireFrame.close()).addListener(ChannelFutureListener.CLOSE);
        closeSoon();
    }

    private void adjustReading() {
        if (channel.eventLoop().inEventLoop()) {
            channel.config().setAutoRead(!waiting.paused() || ending != Ending.NONE);
        } else {
            channel.eventLoop().execute(this::adjustReading);
        }
    }

    /**
     * Checks whether a slow reader makes progress.
     *
     * @param time the number of this slow period; a check from an earlier period has no effect
     */
    private void look(long time) {
        if (!slow || time != slowTimes || ending != Ending.NONE) {
            return;
        }
        if (pace.isTooSlow(unreadBytes())) {
            drop("it read less than " + limits.slowBytes() + " bytes in " + limits.slowMillis() + " ms");
        } else {
            checkProgressLater(time);
        }
    }

    private void decode(byte[] bytes) {
        waiting.add(bytes.length);
        try {
            hub.received(this, codec.decode(bytes, format), bytes.length);
        } catch (MalformedFrameException e) {
            hub.garbled(this, String.valueOf(e.getMessage()), bytes.length);
        }
    }

    /** Closes the socket if its peer is silent or the hub has not answered. Pings a quiet peer. */
    void pulse() {
        countBytes();
        long now = System.nanoTime();
        if (!isAnswered && now - openedNanos > TimeUnit.MILLISECONDS.toNanos(limits.silentMillis())) {
            drop("the hub did not answer within " + limits.silentMillis() + " ms");
            return;
        }
        if (now - lastReadNanos > TimeUnit.MILLISECONDS.toNanos(limits.silentMillis()) && !waiting.paused()) {
            drop("the client sent nothing for " + limits.silentMillis() + " ms, not even a pong");
            return;
        }
        long quietNanos = now - Math.min(lastReadNanos, lastWriteNanos);
        if (ending == Ending.NONE
                && channel.isWritable()
                && quietNanos > TimeUnit.MILLISECONDS.toNanos(limits.pingMillis() / 2)) {
            channel.writeAndFlush(WireFrame.ping());
            lastWriteNanos = now;
        }
    }

    private void drop(String why) {
        if (ending == Ending.NONE) {
            LOG.log(Level.INFO, "session {0} dropped: {1}", id.value(), why);
            var frame = HubLoop.disconnected(ErrorCode.UNAVAILABLE, "this socket was dropped: " + why + "; reconnect");
            hub.dropped(this, frame);
            end(hub.frame(frame, format));
        }
    }
}
