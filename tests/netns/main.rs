//! Whole games between real programs in network namespaces: homes behind routers, relays, bad
//! lines. Nothing leaves the namespaces, whose internet is a bridge with TEST-NET addresses.
//!
//! Needs root and `iproute2 iptables conntrack python3`. Where that is missing the tests say so
//! and pass, unless `FAIRDEAL_NETNS=required`.
#![cfg(all(feature = "net", target_os = "linux"))]

mod doctor;
mod doors;
mod flood;
mod games;
mod lab;
mod program;
mod upnp;
