package dev.doyen.chaos;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.dns.DatagramDnsQuery;
import io.netty.handler.codec.dns.DatagramDnsQueryDecoder;
import io.netty.handler.codec.dns.DatagramDnsResponse;
import io.netty.handler.codec.dns.DatagramDnsResponseEncoder;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * The DNS server of a simulated Kubernetes cluster with one headless Service.
 *
 * <p>The server runs in a separate process, and ends at the end of its input. A line of input changes its answers. The
 * server prints {@code done} when the change is in effect. The lines are:
 *
 * <ul>
 * <li>{@code pods A,B,..}: the name of the Service has these addresses, in this order; without addresses, the name does
 * not exist.
 * <li>{@code own}: each client receives only its own address, as if its pod were the only pod.
 * <li>{@code fail}: the server answers SERVFAIL.
 * <li>{@code silent}: the server does not answer.
 * </ul>
 */
public final class NameServer {

    static final String SERVICE = "ring";
    static final String SEARCH = "default.svc.cluster.local svc.cluster.local cluster.local";
    private static final String NAME = SERVICE + ".default.svc.cluster.local.";
    private static final int PORT = 53;

    /** The time for which clients may cache an answer. CoreDNS uses the same time by default. */
    private static final int TTL_SECONDS = 5;

    private static volatile List<String> command = List.of("pods", "");

    private NameServer() {}

    /**
     * Starts the server.
     *
     * @param args the address to listen on
     */
    public static void main(String[] args) throws Exception {
        var group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        new Bootstrap()
                .group(group)
                .channel(NioDatagramChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new DatagramDnsQueryDecoder(),
                                        new DatagramDnsResponseEncoder(),
                                        new Answering());
                    }
                })
                .bind(args[0], PORT)
                .sync();
        System.out.println("done");
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            command = List.of(line.split(" ", -1));
            System.out.println("done");
        }
        Runtime.getRuntime().halt(0);
    }

    private static final class Answering extends SimpleChannelInboundHandler<DatagramDnsQuery> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramDnsQuery query) throws UnknownHostException {
            List<String> now = command;
            if (now.get(0).equals("silent")) {
                return;
            }
            DnsQuestion question = query.recordAt(DnsSection.QUESTION);
            InetSocketAddress here = query.recipient();
            InetSocketAddress client = query.sender();
            var response = new DatagramDnsResponse(here, client, query.id());
            response.setAuthoritativeAnswer(true)
                    .setRecursionDesired(query.isRecursionDesired())
                    .setRecursionAvailable(true)
                    .addRecord(DnsSection.QUESTION, question);
            answer(now, question, client.getAddress(), response);
            context.writeAndFlush(response);
        }

        private static void answer(
                List<String> now, DnsQuestion question, InetAddress client, DatagramDnsResponse response)
                throws UnknownHostException {
            if (now.get(0).equals("fail")) {
                response.setCode(DnsResponseCode.SERVFAIL);
                return;
            }
            String pods = now.get(0).equals("own") ? client.getHostAddress() : now.get(1);
            if (pods.isEmpty() || !question.name().toLowerCase(Locale.ROOT).equals(NAME)) {
                response.setCode(DnsResponseCode.NXDOMAIN);
            } else if (question.type().equals(DnsRecordType.A)) {
                for (String each : pods.split(",", -1)) {
                    response.addRecord(
                            DnsSection.ANSWER,
                            new DefaultDnsRawRecord(
                                    question.name(),
                                    DnsRecordType.A,
                                    TTL_SECONDS,
                                    Unpooled.wrappedBuffer(
                                            InetAddress.getByName(each).getAddress())));
                }
            }
        }
    }
}
