package dev.doyen.spring;

import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.util.ClassUtils;

/** Finds the bean that reports this application's health. */
final class HealthBeans {

    private static final String INDICATOR = "org.springframework.boot.health.contributor.HealthIndicator";

    private HealthBeans() {}

    static BooleanSupplier find(String name, BeanFactory beans) {
        if (!beans.containsBean(name)) {
            throw new DoyenRefusedException("the health check of an election names bean \"" + name
                    + "\", which does not exist; name a bean of type BooleanSupplier or HealthIndicator");
        }
        Object bean = beans.getBean(name);
        if (bean instanceof BooleanSupplier plain) {
            return plain;
        }
        if (ClassUtils.isPresent(INDICATOR, HealthBeans.class.getClassLoader()) && Indicated.is(bean)) {
            return Indicated.by(bean);
        }
        if (HealthOfBoot3.isIndicator(bean)) {
            return HealthOfBoot3.check(bean);
        }
        throw new DoyenRefusedException("the health check of an election names bean \"" + name + "\", which is a "
                + bean.getClass().getName() + "; name a bean of type BooleanSupplier or HealthIndicator");
    }

    /** A class that is loaded only if health indicators are on the class path. */
    private static final class Indicated {
        static boolean is(Object bean) {
            return bean instanceof HealthIndicator;
        }

        static BooleanSupplier by(Object bean) {
            var indicator = (HealthIndicator) bean;
            return () -> {
                Health now = indicator.health();
                return now != null && Status.UP.equals(now.getStatus());
            };
        }
    }
}
