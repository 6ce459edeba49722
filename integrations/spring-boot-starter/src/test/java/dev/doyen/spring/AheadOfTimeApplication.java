package dev.doyen.spring;

import dev.doyen.election.Leadership;
import dev.doyen.testkit.FakeElection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** The application that {@link AheadOfTimeTest} processes ahead of time, and then runs in its own JVM. */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    DoyenAutoConfiguration.class,
    DoyenActuatorAutoConfiguration.class,
    DoyenIntegrationAutoConfiguration.class
})
public class AheadOfTimeApplication {

    private static final FakeElection FAKE = FakeElection.named("orders");
    private static final BlockingQueue<String> CALLS = new LinkedBlockingQueue<>();

    public static void main(String[] arguments) throws InterruptedException {
        var application = new SpringApplication(AheadOfTimeApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try (var context = application.run(arguments)) {
            Job job = context.getBean(Job.class);
            print("proxied: " + AopUtils.isCglibProxy(job));
            print("as a follower: " + job.text());
            FAKE.grant();
            print("as the leader: " + job.text());
            print("called: " + CALLS.poll(60, TimeUnit.SECONDS));
            FAKE.loseTo("another");
            print("called: " + CALLS.poll(60, TimeUnit.SECONDS));
            print("ttl: "
                    + context.getBean(DoyenProperties.class)
                            .election("orders")
                            .ttl()
                            .toSeconds());
        }
    }

    private static void print(String line) {
        System.out.println(line);
    }

    @Bean
    ElectionSource electionSource() {
        return new Fakes(FAKE);
    }

    @Bean
    Job job() {
        return new Job();
    }

    @Bean
    Listeners listeners() {
        return new Listeners();
    }

    static class Job {
        @LeaderOnly("orders")
        public String text() {
            return "term " + CurrentLeadership.term();
        }
    }

    static class Listeners {
        @OnElected("orders")
        void elected(Leadership leadership) {
            CALLS.add("elected in term " + Terms.of(leadership));
        }

        @OnRevoked("orders")
        void revoked() {
            CALLS.add("revoked");
        }

        void other() {}
    }
}
