import dev.doyen.client.Elector;
import dev.doyen.client.Leader;

public class Beside {
    public static void main(String[] args) throws Exception {
        System.out.println(Leader.isLeader() ? "I lead" : "I do not lead");
        try (var watch = Elector.fromEnvironment().watch()) {
            watch.listen(state -> System.out.println(state.role() + ": " + state.leader().orElse("nobody")));
            Thread.sleep(60_000);
        }
    }
}
