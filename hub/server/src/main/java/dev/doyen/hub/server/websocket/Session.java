package dev.doyen.hub.server.websocket;

import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.MalformedFrameException;
import dev.doyen.log.FaultLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/**
 * One WebSocket: decodes input, writes output, and closes when its peer is gone, silent or slow.
 *
 * <p>Threads: its socket's event loop, except for {@link #waiting}, which the hub's thread uses too.
 */
final class Session extends SimpleChannelInboundHandler<WebSocketFrame> {

    private static final System.Logger LOG = System.getLogger(Session.class.getName());
    private static final FaultLog FAULTS = new FaultLog(LOG);

    private final SessionId id;
    private final Format format;
    private final Channel channel;
    private final FrameCodec codec;
    private final SessionLimits limits;
    private final HubLoop hub;
    private final WaitingInputs waiting;

    private long lastReadNanos = System.nanoTime();
    private long lastWriteNanos = lastReadNanos;
    private boolean flushOwed;
    private boolean slow;
    private final ReaderProgress pace;
    private long slowTimes;
    private Ending ending = Ending.NONE;
    private volatile boolean peerAnsweredClose;

    /** How far the end of a session has come. */
    private enum Ending {
        NONE,
        /** The last frame is queued. The session writes nothing more and ignores input. */
        LAST_FRAME_QUEUED
    }

    Session(SessionId id, Format format, Channel channel, FrameCodec codec, SessionLimits limits, HubLoop hub) {
        this.id = id;
        this.format = format;
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

    EventLoop eventLoop() {
        return channel.eventLoop();
    }

    WaitingInputs waiting() {
        return waiting;
    }

    /** Waits until the socket is closed. Threads: any but an event loop. */
    void awaitClosed(long nanos) {
        channel.closeFuture().awaitUninterruptibly(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /**
     * Whether the peer has answered the server's close frame, and so has read everything before it.
     *
     * <p>Threads: any, after the socket is closed.
     */
    boolean isClosedByPeer() {
        return peerAnsweredClose;
    }

    /**
     * Queues a frame.
     *
     * @return true if it is the first since the last {@link #flush}; the caller must then flush
     */
    boolean write(ByteBuf frame) {
        if (ending != Ending.NONE || !channel.isActive()) {
            frame.release();
            return false;
        }
        pace.queued(frame.readableBytes());
        channel.write(frame, channel.voidPromise());
        lastWriteNanos = System.nanoTime();
        if (!channel.isWritable() && channel.bytesBeforeWritable() > limits.maxQueuedBytes()) {
            drop("more than " + limits.maxQueuedBytes() + " bytes are unread");
        }
        boolean first = !flushOwed;
        flushOwed = true;
        return first;
    }

    /** Closes the socket after a frame was lost. The peer reconnects and receives what it missed. */
    void giveUp() {
        channel.close();
    }

    void flush() {
        flushOwed = false;
        channel.flush();
    }

    /** Queues a last frame and a close frame, and closes the socket after a short time. */
    void end(ByteBuf lastFrame) {
        if (ending != Ending.NONE || !channel.isActive()) {
            lastFrame.release();
            return;
        }
        ending = Ending.LAST_FRAME_QUEUED;
        channel.config().setAutoRead(true);
        channel.write(lastFrame, channel.voidPromise());
        channel.writeAndFlush(WireFrame.close());
        closeSoon();
    }

    private void closeSoon() {
        var deadline = channel.eventLoop().schedule(() -> channel.close(), limits.closeMillis(), TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> deadline.cancel(false));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        var pulse = ctx.executor()
                .scheduleAtFixedRate(
                        // A scheduler does not repeat a task after an exception.
                        () -> FAULTS.survives("the pulse of a session", this::pulse),
                        limits.pingMillis() / 2,
                        limits.pingMillis() / 2,
                        TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> pulse.cancel(false));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
        lastReadNanos = System.nanoTime();
        if (frame instanceof CloseWebSocketFrame) {
            peerCloses();
        } else if (ending != Ending.NONE || frame instanceof PongWebSocketFrame) {
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
        boolean wasSlow = slow;
        slow = !channel.isWritable();
        if (slow && !wasSlow) {
            pace.begin(unreadBytes());
            lookSoon(++slowTimes);
        }
    }

    private void lookSoon(long time) {
        channel.eventLoop().schedule(() -> look(time), limits.slowMillis(), TimeUnit.MILLISECONDS);
    }

    /** The bytes queued beyond the low water mark. The constant difference does not matter for comparisons. */
    private long unreadBytes() {
        return channel.bytesBeforeWritable();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (ending == Ending.NONE) {
            ending = Ending.LAST_FRAME_QUEUED;
            hub.lost(this);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
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

    /** Answers the peer's close frame and then closes the socket. */
    private void peerCloses() {
        if (ending != Ending.NONE) {
            peerAnsweredClose = true;
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
     * @param time the number of this slow period; a check from an earlier period does nothing
     */
    private void look(long time) {
        if (!slow || time != slowTimes || ending != Ending.NONE) {
            return;
        }
        if (pace.isTooSlow(unreadBytes())) {
            drop("it read less than " + limits.slowBytes() + " bytes in " + limits.slowMillis() + " ms");
        } else {
            lookSoon(time);
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

    private void pulse() {
        long now = System.nanoTime();
        if (now - lastReadNanos > TimeUnit.MILLISECONDS.toNanos(limits.silentMillis()) && !waiting.paused()) {
            drop("nothing came for " + limits.silentMillis() + " ms, not even a pong");
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
