// The members of GPGPU-Sim's classes that the adapter uses, with the simulator's names, for its tests.
#pragma once
#include <stdio.h>

#include <bitset>
#include <list>
#include <string>
#include <vector>

typedef unsigned long long new_addr_type;
typedef std::bitset<32> active_mask_t;
typedef std::bitset<128> mem_access_byte_mask_t;
typedef std::bitset<4> mem_access_sector_mask_t;
const unsigned MAX_OUTPUT_VALUES = 8;
const unsigned READ_PACKET_SIZE = 8, WRITE_PACKET_SIZE = 8;

enum mem_access_type { GLOBAL_ACC_R, LOCAL_ACC_R, GLOBAL_ACC_W };
enum mem_fetch_status { MEM_FETCH_INITIALIZED, IN_L1D_MISS_QUEUE };
enum cache_request_status { HIT, HIT_RESERVED, MISS, RESERVATION_FAIL, SECTOR_MISS };
enum cache_reservation_fail_reason {
  LINE_ALLOC_FAIL,
  MISS_QUEUE_FULL,
  MSHR_ENRTY_FAIL,
  MSHR_MERGE_ENRTY_FAIL
};
enum cache_event_type { WRITE_REQUEST_SENT, WRITE_ALLOCATE_SENT };

struct cache_event {
  explicit cache_event(cache_event_type type) : m_cache_event_type(type) {}
  cache_event_type m_cache_event_type;
};

class mem_access_t {
 public:
  mem_access_t(new_addr_type address, unsigned sectors) : address_(address), sectors_(sectors) {}
  new_addr_type get_addr() const { return address_; }
  mem_access_sector_mask_t get_sector_mask() const { return sectors_; }

 private:
  new_addr_type address_;
  mem_access_sector_mask_t sectors_;
};

class warp_inst_t {
 public:
  unsigned out[MAX_OUTPUT_VALUES] = {};
  unsigned uid = 0, warp = 0;
  bool store = false, atomic = false;
  std::list<mem_access_t> accesses;

  unsigned get_uid() const { return uid; }
  unsigned warp_id() const { return warp; }
  bool accessq_empty() const { return accesses.empty(); }
  const mem_access_t& accessq_back() const { return accesses.back(); }
  void accessq_pop_back() { accesses.pop_back(); }
};

class mem_fetch {
 public:
  mem_fetch(const mem_access_t& access, const warp_inst_t& inst, unsigned size, mem_fetch* original = nullptr)
      : access_(access), inst_(inst), size_(size), original_(original) {
    ++alive;
  }
  mem_fetch(const mem_fetch&) = delete;
  mem_fetch& operator=(const mem_fetch&) = delete;
  ~mem_fetch() { --alive; }
  static long alive;

  const warp_inst_t& get_inst() { return inst_; }
  unsigned get_wid() const { return inst_.warp; }
  bool isatomic() const { return inst_.atomic; }
  bool get_is_write() const { return inst_.store; }
  new_addr_type get_addr() const { return access_.get_addr(); }
  // Of the core's own: local memory lies in lines of odd numbers.
  mem_access_type get_access_type() const {
    return inst_.store ? GLOBAL_ACC_W : get_addr() / 128 % 2 ? LOCAL_ACC_R : GLOBAL_ACC_R;
  }
  mem_access_sector_mask_t get_access_sector_mask() const { return access_.get_sector_mask(); }
  mem_access_byte_mask_t get_access_byte_mask() const {
    mem_access_byte_mask_t bytes;
    for (unsigned b = 0; b < 128; ++b) bytes[b] = access_.get_sector_mask()[b / 32];
    return bytes;
  }
  unsigned size() const { return size_ + READ_PACKET_SIZE; }
  unsigned get_data_size() const { return size_; }
  mem_fetch* get_original_mf() { return original_; }
  void set_status(mem_fetch_status, unsigned long long) {}
#ifdef STREAMS  // the simulator since it counts by CUDA stream
  unsigned long long get_streamID() const { return 7; }
#endif

 private:
  mem_access_t access_;
  warp_inst_t inst_;
  unsigned size_;
  mem_fetch* original_;
};

class mem_fetch_interface {
 public:
  virtual ~mem_fetch_interface() {}
  virtual bool full(unsigned size, bool write) const = 0;
  virtual void push(mem_fetch* fetch) = 0;
};

class mem_fetch_allocator {
 public:
  virtual ~mem_fetch_allocator() {}
  virtual mem_fetch* alloc(new_addr_type address, mem_access_type type, const active_mask_t& lanes,
                           const mem_access_byte_mask_t& bytes, const mem_access_sector_mask_t& sectors,
                           unsigned size, bool write, unsigned long long cycle, unsigned warp, unsigned sm,
                           unsigned tpc, mem_fetch* original
#ifdef STREAMS
                           ,
                           unsigned long long stream
#endif
  ) const = 0;
};

class cache_stats {
 public:
  unsigned long long results[5] = {}, fails[4] = {};
#ifdef STREAMS
  void inc_stats(int, int result, unsigned long long stream) { results[result] += stream == 7; }
  void inc_stats_pw(int, int, unsigned long long) {}
  void inc_fail_stats(int, int reason, unsigned long long stream) { fails[reason] += stream == 7; }
#else
  void inc_stats(int, int result) { ++results[result]; }
  void inc_stats_pw(int, int) {}
  void inc_fail_stats(int, int reason) { ++fails[reason]; }
#endif
  void sample_cache_port_utility(bool, bool) {}
};

struct cache_config {};

class gpgpu_sim {
 public:
  unsigned long long gpu_sim_cycle = 0, gpu_tot_sim_cycle = 0;
};

// As clients/gpgpusim/edit.py leaves them.
class l1_cache {
 public:
  l1_cache(const char* name, cache_config&, int, int, mem_fetch_interface* port,
           mem_fetch_allocator* allocator, mem_fetch_status status, gpgpu_sim* gpu)
      : m_name(name),
        m_miss_queue_status(status),
        m_memport(port),
        m_gpu(gpu),
        m_memfetch_creator(allocator) {}
  virtual ~l1_cache() {}
  virtual cache_request_status access(new_addr_type, mem_fetch*, unsigned, std::list<cache_event>&) {
    return HIT;
  }
  virtual bool data_port_free() const { return true; }
  virtual bool fill_port_free() const { return true; }
  virtual void cycle() {}
  virtual void fill(mem_fetch*, unsigned) {}
  virtual bool waiting_for_fill(mem_fetch*) { return false; }
  virtual bool access_ready() const { return false; }
  virtual mem_fetch* next_access() { return nullptr; }
  virtual void flush() {}
  virtual void invalidate() {}
  virtual void print(FILE*, unsigned&, unsigned&) const {}
  virtual void display_state(FILE*) const {}
  const cache_stats& get_stats() const { return m_stats; }

 protected:
  std::string m_name;
  mem_fetch_status m_miss_queue_status;
  mem_fetch_interface* m_memport;
  gpgpu_sim* m_gpu;
  cache_stats m_stats;
  mem_fetch_allocator* m_memfetch_creator;
};
