import dev.doyen.Election;

public class Hello {
    public static void main(String[] args) throws Exception {
        try (var election = Election.lease("orders").store("file:/tmp/orders").open();
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
