import dev.doyen.Election;
import dev.doyen.channel.ChannelMembership;
import io.ably.lib.types.ClientOptions;

public class Ring {
    public static void main(String[] args) throws Exception {
        var hub = new ClientOptions("my.key:secret");
        hub.clientId = args[0];
        hub.restHost = "localhost";
        hub.realtimeHost = "localhost";
        hub.port = 8000;
        hub.tls = false;
        try (var membership = ChannelMembership.open(hub, "orders");
                var election = Election.ring("orders").membership(membership).open();
                var me = election.join(args[0])) {
            me.whileLeading(leadership -> {
                while (leadership.isCertain()) {
                    System.out.println(me.id() + " leads in term " + leadership.term());
                    Thread.sleep(1000);
                }
            });
        }
    }
}
