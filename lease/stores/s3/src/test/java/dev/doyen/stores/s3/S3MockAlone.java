package dev.doyen.stores.s3;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import org.apache.catalina.connector.Connector;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Starts Adobe's S3Mock with one writer at a time, on the loopback interface only. The class {@link S3Mock} of this
 * package starts this program.
 *
 * <p>Adobe's S3Mock itself takes no lock between the check of a condition and the write. So without the limit of one
 * writer, two concurrent conditional writes could both succeed.
 */
@Configuration(proxyBeanMethods = false)
public class S3MockAlone {

    private static final Set<String> READS = Set.of("GET", "HEAD");

    public static void main(String[] args) throws ClassNotFoundException {
        Class<?> mock = Class.forName("com.adobe.testing.s3mock.S3MockApplication");
        new SpringApplication(mock, S3MockAlone.class).run(args);
    }

    @Bean
    static Filter oneWriterAtATime() {
        var writing = new Object();
        return (request, response, chain) -> {
            if (READS.contains(((HttpServletRequest) request).getMethod())) {
                chain.doFilter(request, response);
            } else {
                synchronized (writing) {
                    chain.doFilter(request, response);
                }
            }
        };
    }

    @Bean
    static BeanPostProcessor loopbackOnly() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof Connector connector) {
                    connector.setProperty("address", "127.0.0.1");
                }
                return bean;
            }
        };
    }
}
